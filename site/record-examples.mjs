// Runs tools of the demo, and writes what the landing page shows of them: a terminal, and one result in three forms.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeDemoWorkspace } from '../apps/reference-host/src/demo/make-demo-workspace.ts'
import { formatResult } from '../packages/formatter/src/index.ts'
import { parseToolOutput } from '../packages/parser/src/index.ts'
import { renderHtml } from '../packages/renderer/src/html.ts'
import { PAGE_STYLE } from '../packages/renderer/src/internal-html.ts'
import { loadContentReaders } from '../packages/renderer/src/readers.ts'
import { runAtScreen } from '../scripts/pictures/run-at-screen.mjs'
import { openScreen } from '../scripts/pictures/screen.mjs'

const GENERATED = new URL('src/generated/', import.meta.url)

/** What is typed at the terminal, and the text at which a command that waits for a person is ended. */
const COMMANDS = [
  { args: ['call', 'read_files', '--arg', 'paths=logo.png'] },
  {
    args: [
      'call',
      'edit_file',
      '--arguments',
      '{"path":"src/main.rs","find":"500","replace":"250"}',
    ],
    until: /○ No/,
  },
]

/** So wide that the screen fits beside the title of the page. */
const COLUMNS = 64

const TOOL = 'tools/describe-project.mjs'

/** Writes `example.json` and `terminal.json`. */
export async function recordExamples() {
  const { folder, remove } = await makeDemoWorkspace({ atExit: 'remove' })
  try {
    write('example.json', await recordExample(folder))
    write('terminal.json', await recordTerminal(folder))
  } finally {
    await remove()
  }
}

/** Runs a tool, and returns what it printed, what a person sees and what a model receives. */
async function recordExample(folder) {
  const running = promisify(execFile)(process.execPath, [TOOL], { cwd: folder })
  running.child.stdin.end(JSON.stringify({ tool: { name: 'describe_project', arguments: {} } }))
  const { stdout } = await running
  const { result } = parseToolOutput(stdout)
  const readers = await loadContentReaders()
  return {
    raw: stdout,
    page: renderHtml(result, { root: folder, readers }),
    // The page stands in a shadow tree, whose root is the host element.
    style: PAGE_STYLE.replaceAll(':root{color-scheme:light dark;', ':host{').replace(
      'body{',
      ':host{',
    ),
    model: formatResult(result, { root: folder }),
  }
}

async function recordTerminal(folder) {
  const screen = openScreen({ columns: COLUMNS })
  try {
    for (const command of COMMANDS)
      await withinTime(runAtScreen(screen, { folder, ...command }), command.args)
    return toLines(screen.toPage())
  } finally {
    screen.close()
  }
}

/** Rejects after a minute, so that a command that waits for a person does not stop the build for ever. */
async function withinTime(work, args) {
  const limit = setTimeout(60_000, undefined, { ref: false }).then(() => {
    throw new Error(
      `"toolblocks ${args.join(' ')}" did not end within 60 s. Run it in the demo workspace to see why.`,
    )
  })
  await Promise.race([work, limit])
}

/** Joins neighbouring cells of a screen that look the same, which makes the page ten times smaller. */
function toLines(page) {
  const lines = [...page.matchAll(/<div>(.*?)<\/div>/g)].map(([, line]) => line)
  return lines.map((line) => {
    const spans = []
    for (const [, width, style, text] of line.matchAll(
      /<i style="width:(\d)ch;([^"]*)">(.*?)<\/i>/g,
    )) {
      const last = spans.at(-1)
      if (last?.style === style)
        Object.assign(last, { text: last.text + text, width: last.width + Number(width) })
      else spans.push({ style, text, width: Number(width) })
    }
    const end = spans.at(-1)
    if (end && !end.style.includes('background')) end.text = end.text.trimEnd()
    return spans.filter(({ text }) => text !== '').map(({ style, text }) => ({ style, text }))
  })
}

function write(name, value) {
  writeFileSync(new URL(name, GENERATED), JSON.stringify(value))
}
