// Writes what the landing page shows: the commands of the README and the table of docs/hosts.md, and one result of a tool of the demo in three forms.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { makeDemoWorkspace } from '../apps/reference-host/src/demo/make-demo-workspace.ts'
import { formatResult } from '../packages/formatter/src/index.ts'
import { parseToolOutput } from '../packages/parser/src/index.ts'
import { renderHtml } from '../packages/renderer/src/html.ts'
import { PAGE_STYLE } from '../packages/renderer/src/internal-html.ts'
import { loadContentReaders } from '../packages/renderer/src/readers.ts'

const GENERATED = new URL('src/generated/', import.meta.url)

const TOOL = 'tools/describe-project.mjs'

/** Writes `example.json` and `first-minute.json`. */
export async function recordExamples() {
  const { folder, remove } = await makeDemoWorkspace({ atExit: 'remove' })
  try {
    write('example.json', await recordExample(folder))
    write('first-minute.json', { doors: readDoors(), hosts: readHosts() })
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

/** Reads the commands of the four doors of the README: the blocks with one command. */
function readDoors() {
  const blocks = [...readDocument('README.md').matchAll(/^```sh\n(.*)\n```$/gm)]
  const doors = blocks.map(([, command]) => command)
  if (doors.length !== 4) throw new Error(`README.md has ${doors.length} doors; 4 were expected.`)
  return doors
}

/** Reads how many checks go wrong for each host. */
function readHosts() {
  return [...readDocument('docs/hosts.md').matchAll(/^\| (.*20\d\d-\d\d-\d\d.*) \|$/gm)].map(
    ([, row]) => {
      const cells = row.split('|').map((cell) => cell.trim())
      const [client, version, date, , , direct, gateway] = cells
      return { client, version, date, direct: direct.split(':')[0], gateway: gateway.split(':')[0] }
    },
  )
}

function readDocument(path) {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
}

function write(name, value) {
  writeFileSync(new URL(name, GENERATED), JSON.stringify(value))
}
