// Makes docs/terminal.png from a real run in the workspace of the demo: `pnpm picture`. Needs Chromium: `CHROMIUM` names it, else `chromium`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { makeDemoWorkspace } from '../apps/reference-host/src/demo/make-demo-workspace.ts'

const host = createRequire(new URL('../apps/reference-host/package.json', import.meta.url))
const { spawn } = host('@lydell/node-pty')
const { Terminal } = host('@xterm/headless')

const MAIN = fileURLToPath(new URL('../apps/reference-host/src/main.ts', import.meta.url))
const PICTURE = fileURLToPath(new URL('../docs/terminal.png', import.meta.url))
const COLUMNS = 80
const ROWS = 200
const LINE_HEIGHT = 20
const PADDING = 20

/** What is typed, and what on the screen ends it where the command waits for a person. */
const COMMANDS = [
  { words: ['call', 'read_files', '--arg', 'paths=src/main.rs', '--arg', 'paths=logo.png'] },
  { words: ['call', 'describe_project'] },
  {
    words: ['call', 'edit_file', '--json', '{"path":"src/main.rs","find":"500","replace":"250"}'],
    until: /○ No/,
  },
]
const PALETTE = [
  '#1c1f26',
  '#e06c75',
  '#98c379',
  '#e5c07b',
  '#61afef',
  '#c678dd',
  '#56d7e0',
  '#e6e6e6',
]
const BRIGHT = [
  '#8a8f98',
  '#ff7b86',
  '#63d97a',
  '#f5c542',
  '#7fc1ff',
  '#d99bf0',
  '#7ae6ee',
  '#ffffff',
]

const { folder, remove } = await makeDemoWorkspace({ atExit: 'remove' })
const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
try {
  for (const command of COMMANDS) await show(command)
  writePicture(linesOf(terminal))
} finally {
  terminal.dispose()
  await remove()
}

async function show({ words, until }) {
  const typed = words.map((word) => (/^[\w./=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
  await write(`$ toolblocks ${typed}\r\n`)
  const { CI: _ci, NO_COLOR: _plain, ...environment } = process.env
  const env = { ...environment, TERM: 'xterm-256color' }
  const pty = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    cols: COLUMNS,
    rows: ROWS,
    env,
  })
  let written = ''
  pty.onData((data) => {
    written += data
    terminal.write(data)
    if (until?.test(stripVTControlCharacters(written))) pty.kill('SIGKILL')
  })
  await new Promise((done) => pty.onExit(done))
  await write('')
}

async function write(text) {
  await new Promise((done) => terminal.write(text, done))
}

/** The rows that were written, each as HTML. */
function linesOf({ buffer }) {
  const rows = Array.from({ length: ROWS }, (_, row) => buffer.active.getLine(row))
  const last = rows.findLastIndex((row) => row?.translateToString(true))
  return rows.slice(0, last + 1).map((row) => {
    const cells = Array.from({ length: COLUMNS }, (_, column) => row.getCell(column))
    return cells.map((cell) => `<span style="${styleOf(cell)}">${textOf(cell)}</span>`).join('')
  })
}

function textOf(cell) {
  const text = cell.getChars() || (cell.getWidth() === 0 ? '' : ' ')
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function styleOf(cell) {
  const index = cell.isFgPalette() ? cell.getFgColor() : undefined
  const color =
    index === undefined ? '' : `color:${index < 8 ? PALETTE[index] : BRIGHT[index - 8]};`
  return `${color}${cell.isBold() ? 'font-weight:bold;' : ''}${cell.isDim() ? 'opacity:.55;' : ''}`
}

function writePicture(lines) {
  const temporary = mkdtempSync(join(tmpdir(), 'toolblocks-picture-'))
  const style = `margin:0;padding:${PADDING}px;background:#1c1f26;color:#e6e6e6;font:15px/${LINE_HEIGHT}px 'DejaVu Sans Mono',monospace`
  const page = `<!doctype html><meta charset="utf-8"><body style="margin:0"><pre style="${style}">${lines.join('\n')}</pre>`
  writeFileSync(join(temporary, 'page.html'), page)
  const size = `${PADDING * 2 + Math.ceil(COLUMNS * 9.04)},${PADDING * 2 + lines.length * LINE_HEIGHT}`
  const words = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars']
  const places = [
    `--user-data-dir=${temporary}`,
    `--screenshot=${PICTURE}`,
    `--window-size=${size}`,
  ]
  execFileSync(
    process.env['CHROMIUM'] ?? 'chromium',
    [...words, ...places, `file://${join(temporary, 'page.html')}`],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  rmSync(temporary, { recursive: true, force: true })
}
