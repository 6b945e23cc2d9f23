import { findOpenBlock } from './find-open-block.ts'

/** Ends HTML of every kind that an empty line does not end, and is a paragraph where none is open. */
const END_OF_HTML = '</pre> --> ?> ]]>'

/**
 * A text, and behind it the lines that it takes to put what follows outside of every code and HTML block of the text. Where only
 * a whole Markdown parser could tell what is open, they end any block, and are an empty code block if none is.
 */
export function closeText(text: string): string {
  const lines = closingLines(text)
  if (lines.length === 0) return text
  return [text.endsWith('\n') ? text.slice(0, -1) : text, ...lines].join('\n')
}

function closingLines(text: string): readonly string[] {
  const open = findOpenBlock(text)
  switch (open.kind) {
    case 'none':
      return []
    case 'code':
    case 'html':
      return [open.end]
    case 'unknown':
      return [END_OF_HTML, ...endOfCode(text, '`'), ...endOfCode(text, '~')]
  }
}

/** In an open block the first line is content, because of its words; else it opens the block that the second closes. */
function endOfCode(text: string, mark: '`' | '~'): readonly string[] {
  const runs = text.match(mark === '`' ? /`{3,}/g : /~{3,}/g) ?? []
  if (runs.length === 0) return []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = mark.repeat(longest + 1)
  return [`${fence} end of text`, fence]
}
