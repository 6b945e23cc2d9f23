import assert from 'node:assert/strict'
import type { ToolResult } from '@toolblocks/protocol'
import {
  createRendererRegistry,
  createTerminalStyle,
  indentTerminal,
  joinTerminal,
  renderTerminal,
  sanitizeTerminalLine,
  sanitizeTerminalText,
} from '@toolblocks/renderer'

const result: ToolResult = {
  content: [
    { type: 'text', text: 'Read 1 file.\u001B]0;a new title\u0007' },
    {
      type: 'resource',
      resource: {
        uri: 'file:///home/ada/src/main.rs',
        mimeType: 'text/rust',
        text: 'fn main() {}\n',
      },
    },
  ],
  isError: false,
}
const rendered = renderTerminal(result, { root: '/home/ada' })
assert.equal(rendered, 'Read 1 file.\n\nsrc/main.rs  text/rust · 13 bytes\n│ fn main() {}')

// Text for a decision hides nothing. Text for reading has no effect.
assert.equal(sanitizeTerminalLine('ls \u202Efr- mr\u001B[8m'), 'ls \\u{202E}fr- mr\\u{1B}[8m')
assert.equal(sanitizeTerminalText('50 %\u001B[2J\r\ndone'), '50 %\ndone')

// A renderer for a kind of the host's own. It returns a value, from which a terminal or a page is rendered.
const registry = createRendererRegistry().register('git.status', () => [
  { kind: 'facts', name: 'main', facts: ['1 commit ahead'] },
])
const status = { kind: 'git.status', summary: 'Nothing to commit', data: { ahead: 1 } }
assert.equal(
  renderTerminal({ content: [], isError: false, structuredContent: status }, { registry }),
  'Nothing to commit\nmain  1 commit ahead',
)

// A host renders its own lines with the same types, so that no raw string is printed.
const style = createTerminalStyle(
  process.stdout.isTTY && !process.env['NO_COLOR'] ? 'ansi' : 'none',
)
const title = joinTerminal([style.green('✓'), style.bold('read_files')], ' ')
console.log(joinTerminal([title, indentTerminal(rendered)], '\n'))
