/** One term of the toolkit, told to an operator. */
export interface Explanation {
  /** As the toolkit prints it. */
  readonly term: string;
  /** Other words that lead here. */
  readonly aliases?: readonly string[];
  /** What it is, in one line for a list. */
  readonly summary: string;
  /** What it is, in full. */
  readonly what: string;
  /** What a node does about it. */
  readonly node?: string;
  /** What an operator does about it. */
  readonly next?: string;
}

export interface ExplanationGroup {
  readonly title: string;
  readonly terms: readonly Explanation[];
}
