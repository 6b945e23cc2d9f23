import type { HelpConfiguration } from 'commander'

/** The width of help, which is easiest to read in short lines. */
const HELP_COLUMNS = 80
/** In a narrower terminal, a description is below its term: beside it, there would be a few words in each line. */
const BESIDE_COLUMNS = 60

/** How the help of all commands is laid out. */
interface HelpLayout {
  columns: number
  configuration: HelpConfiguration
  /** Fits a text that was written for `HELP_COLUMNS`. */
  fit(text: string): string
}

/** Returns how help is laid out in a terminal with this number of columns. */
export function layOutHelp(terminalColumns: number): HelpLayout {
  const columns = Math.min(terminalColumns, HELP_COLUMNS)
  if (columns >= BESIDE_COLUMNS) return { columns, configuration: {}, fit: (text) => text }
  const width = Math.max(1, columns - BELOW.length)
  return {
    columns,
    configuration: {
      minWidthToWrap: 1,
      formatItem: (term, _termWidth, description, helper) => {
        if (!description) return `  ${term}`
        const rows = helper.boxWrap(description, width).split('\n')
        return [`  ${term}`, ...rows.map((row) => `${BELOW}${row}`)].join('\n')
      },
    },
    fit: (text) =>
      text
        .replaceAll(LINE_OF_PARAGRAPH, ' ')
        .replaceAll(LINE_OF_ITEM, ' ')
        .replaceAll(BESIDE_EXAMPLE, `$1\n${BELOW}`),
  }
}

const BELOW = '      '
const LINE_OF_PARAGRAPH = /(?<=\S)\n(?=\S)/g
const LINE_OF_ITEM = /\n {5,}(?=\S)/g
/** The blanks between an example and its description. An exit code is shorter than an example. */
const BESIDE_EXAMPLE = /^( {2}\S.{6,}?) {2,}(?=\S)/gm
