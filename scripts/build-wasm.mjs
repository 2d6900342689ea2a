// Compiles the kernel's WebAssembly text into a module that dist can carry: `npm run build:wasm`, after
// any change of the text. A test holds the two against each other.
import { readFileSync, writeFileSync } from 'node:fs';
import wabtInit from 'wabt';

const directory = new URL('../src/format/wasm/', import.meta.url);
const text = readFileSync(new URL('frame-kernel.wat', directory), 'utf8');
const wabt = await wabtInit();
const module = wabt.parseWat('frame-kernel.wat', text);
module.validate();
const { buffer } = module.toBinary({});

writeFileSync(
  new URL('frame-kernel-wasm.ts', directory),
  `/** \`frame-kernel.wat\`, compiled by \`npm run build:wasm\`, in Base64. */
export const FRAME_KERNEL_WASM =
  '${Buffer.from(buffer).toString('base64')}';
`,
);
