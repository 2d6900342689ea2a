import { describe, expect, test } from 'vitest';
import { malachi } from '../helpers/cli.js';
import { goldenRoot } from '../helpers/golden.js';
import { schemaFaults } from '../helpers/schema.js';

const inspected = malachi(['inspect', '--json', '--map', '--hex', goldenRoot, '/no/such/path']);

describe('the helper that holds answers against the shipped schemas', () => {
  const change = (from: string | RegExp, to: string): string[] => {
    const changed = inspected.stdout.replace(from, to);
    expect(changed).not.toBe(inspected.stdout);
    return schemaFaults(changed);
  };

  test('a right answer has no fault, whatever the size of its integers', () => {
    expect(inspected.stdout).toContain('9007199254740993');
    expect(schemaFaults(inspected.stdout)).toEqual([]);
  });

  test('a missing key, one that is not described, and a wrong type are faults', () => {
    expect(change(/^ +"halt": .*\n/m, '')).not.toEqual([]);
    expect(change('"halt":', '"stopped": true, "halt":')).not.toEqual([]);
    expect(change('"records": 5', '"records": "5"')).not.toEqual([]);
    expect(change('"classification": "torn"', '"classification": "ripped"')).not.toEqual([]);
  });

  test('an integer without all its digits is a fault', () => {
    const key = '"base_offset": 9007199254740993';
    for (const digits of ['9.007199254740993e15', '9007199254740993.0', '9007199254740993.5']) {
      expect(() => change(key, `"base_offset": ${digits}`)).toThrow('all its digits');
    }
  });

  test('an answer of no known command is a fault', () => {
    expect(schemaFaults('{"schema":"malachi.inspect/2"}')).not.toEqual([]);
    expect(schemaFaults('{}')).not.toEqual([]);
  });
});
