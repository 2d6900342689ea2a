import type { CaseReport, CheckAnswer } from '../operations/check/check.js';
import { failureLines } from './check.js';

/** The answer as the JUnit XML that CI systems read. */
export function renderJunit(answer: CheckAnswer, suite: string): string {
  const { cases, summary } = answer;
  const elapsedMs = cases.reduce((total, one) => total + one.elapsedMs, 0);
  const counts = `tests="${summary.cases}" failures="${summary.failed}" errors="${summary.invalid}"`;
  const attributes = `${counts} time="${seconds(elapsedMs)}"`;
  const body = cases.map(caseElement).join('');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n` +
    `  <testsuite name="${escapeXml(suite)}" ${attributes}>\n${body}  </testsuite>\n</testsuites>\n`
  );
}

function caseElement(one: CaseReport): string {
  const start = `    <testcase classname="malachi" name="${escapeXml(one.name)}" time="${seconds(one.elapsedMs)}"`;
  if (one.status === 'passed') return `${start}/>\n`;
  const failed = one.status === 'failed';
  const lines = failed ? failureLines(one) : [one.error?.message ?? ''];
  const element = failed ? 'failure' : 'error';
  const message = escapeXml(lines[0] ?? '');
  const text = escapeXml(lines.join('\n'));
  return `${start}>\n      <${element} message="${message}">${text}</${element}>\n    </testcase>\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

// What XML 1.0 cannot hold at all, not even as a reference.
const NO_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text for an element or an attribute; what XML cannot hold becomes the replacement character. */
export function escapeXml(text: string): string {
  return text.replace(NO_XML, '\ufffd').replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
