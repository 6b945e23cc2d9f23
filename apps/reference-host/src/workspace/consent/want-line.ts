/** The effects that a want can have, in the order in which they are shown to a person. */
export const EFFECTS = ['starts', 'reaches', 'reads', 'sends', 'writes', 'loosens'] as const
export type Effect = (typeof EFFECTS)[number]

/**
 * A want before it has its part and its hash. `program`: the path of the program that it starts, if there is one. `written`: the text with the values
 * that are masked in it, and without its limits. `limits`: what makes the text say less.
 */
export type WantLine = readonly [
  effect: Effect,
  text: string,
  program?: string | undefined,
  written?: string,
  limits?: readonly string[],
]

/** Returns a line that shows a masked value. Another value is another want, also where both are shown alike. */
export function maskedLine(
  effect: Effect,
  value: string,
  { mask, describe }: { mask: (value: string) => string; describe: (value: string) => string },
): WantLine {
  const text = describe(mask(value))
  return [effect, text, undefined, JSON.stringify([text, value])]
}

/** Says which program a command finds. */
export function describeProgram(path: string | undefined): string {
  return path === undefined ? '(no such program)' : `(${path})`
}

/** Quotes a name that could be read as several words. */
export function quote(text: string): string {
  return /^[\w.*@%+/-]+$/.test(text) ? text : JSON.stringify(text)
}
