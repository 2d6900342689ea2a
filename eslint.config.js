import tseslint from 'typescript-eslint';

const noPrinting = [
  { object: 'process', property: 'stdout', message: 'Only report/ and cli/ print.' },
  { object: 'process', property: 'stderr', message: 'Only report/ and cli/ print.' },
];

// Two boundaries carry the design: every system call goes through src/disk (so that faults can be
// injected there), and only src/report and src/cli print.
export default tseslint.config(
  { ignores: ['dist', 'fixtures', 'coverage'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['eslint.config.js', 'bin/*.js', 'bench/*.mjs', 'scripts/*.mjs'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
      ],
      eqeqeq: 'error',
      'max-lines': ['error', 300],
    },
  },
  {
    files: ['*.config.*'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // CommonJS, which Node starts sooner than a module.
    files: ['bin/*.js'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: ['fs', 'node:fs', 'fs/promises', 'node:fs/promises'].map((name) => ({
            name,
            message: 'Only src/disk touches the file system.',
          })),
        },
      ],
      'no-restricted-properties': ['error', ...noPrinting],
    },
  },
  { files: ['src/disk/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['src/report/**/*.ts', 'src/cli/**/*.ts'],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off' },
  },
  {
    files: ['eslint.config.js', 'bin/*.js', 'bench/*.mjs', 'scripts/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
  },
);
