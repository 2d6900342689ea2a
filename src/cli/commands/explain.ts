import { Command } from 'commander';
import type { Context } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions } from '../options.js';

const EXAMPLES = `
Examples:
  $ malachi explain                    every term, in one line each
  $ malachi explain rot                what it is, what a node does, what to do
  $ malachi explain orphaned fence
  $ malachi explain --json | jq '.terms[].term'

Exit codes:
  0 explained   2 an unknown term`;

export function explainCommand(context: Context): Command {
  return addCommonOptions(new Command('explain'))
    .summary('tell what a term means, and what to do about it')
    .description('Explains the words that the toolkit prints. Without a term, lists them.')
    .argument('[term...]', 'a state, a verdict, an outcome, an error code')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: CommonOptions) => {
      const { explanations } = await import('../../report/explanations/index.js');
      const found = words.length > 0 ? await lookUp(words.join(' ')) : null;
      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        const terms = found ? [found] : explanations.flatMap((group) => group.terms);
        await context.output.result(renderJson('explain', { terms }));
      } else {
        const { renderExplanation, renderTerms } = await import('../../report/explain.js');
        const style = await context.style(options);
        await context.output.result(found ? renderExplanation(found, style) : renderTerms(style));
      }
    });
}

async function lookUp(word: string) {
  const { explainedWords, findExplanation } = await import('../../report/explanations/index.js');
  const found = findExplanation(word);
  if (found) return found;
  const { nearest } = await import('../../policy/nearest.js');
  const { InvalidInputError } = await import('../../errors.js');
  const meant = nearest(word, explainedWords());
  const hint = meant === null ? 'malachi explain lists the terms' : `did you mean ${meant}?`;
  throw new InvalidInputError(`unknown term '${word}' (${hint})`);
}
