/** A bracket that was opened and never closed. */
export interface Unclosed {
  /** From 1. */
  line: number
  /** What it begins: the header of a table, such as `[tools.x]`, or a value. */
  what: 'header' | 'list' | 'table'
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/**
 * Finds the bracket of a broken TOML text that was meant to be closed before the line at which a parser gave up: it says what it met
 * there, and not what is missing above.
 */
export function findUnclosed(text: string, until: number): Unclosed | undefined {
  const open: { bracket: string; at: Unclosed }[] = []
  for (const [index, line] of text.split('\n').slice(0, until).entries()) {
    const said = withoutTexts(line)
    const isHeader = open.length === 0 && /^\s*\[/.test(said)
    if (isHeader && !/\]\s*$/.test(said)) return { line: index + 1, what: 'header' }
    if (isHeader) continue
    for (const character of said) {
      if (Object.hasOwn(CLOSING, character)) {
        const what = character === '[' ? 'list' : 'table'
        open.push({ bracket: character, at: { line: index + 1, what } })
      } else if (character === CLOSING[open.at(-1)?.bracket ?? '']) open.pop()
    }
  }
  return open.at(-1)?.at
}

/** A line without its comment and the texts in quotes, in which brackets are nothing but characters. */
function withoutTexts(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, '')
}
