import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { findOnlyQuestion, SWEEP } from '../stage/waiting.ts'
import { setTrap, type Trap } from './hostile-folders.support.ts'

/** Starts a program so that it writes the names of the files that it opens. */
const TRACER = fileURLToPath(new URL('../stage/trace-files.mjs', import.meta.url))

/** A server of MCP that needs no packages. */
const SERVER = `
import { createInterface } from 'node:readline'
const tools = [{ name: 'greet', inputSchema: { type: 'object' } }]
const serverInfo = { name: 'notes', version: '1' }
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, serverInfo, capabilities: { tools: {} } }),
  'tools/list': () => ({ tools }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: method } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }))
}
`

/** Writes a program that describes itself under a name. */
export function writeDescribed(name: string): string {
  return `#!/bin/sh
case "$(cat)" in
  *'"schema"'*) echo '{"tools":[{"name":"${name}","summary":"Is fine."}]}' ;;
  *) echo fine ;;
esac
`
}

/** A folder with something for each command: tools, a server, a conversation, a question that waits, and a record to import. */
export interface FullFolder {
  folder: string
  /** The id of the question. */
  question: string
}

/** Creates the folder. */
export async function makeFullFolder(): Promise<FullFolder> {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'All is done.' } : { calls: [['sweep', {}]] },
  )
  const folder = makeFolder({
    'toolblocks.toml': `${model.settings}${tool('fine', ['./fine.sh'], 'pin = true')}${tool('sweep', ['node', 'sweep.mjs'])}`,
    '.mcp.json': JSON.stringify({
      mcpServers: { notes: { command: process.execPath, args: ['server.mjs'] } },
    }),
    'server.mjs': SERVER,
    'fine.sh': writeDescribed('fine'),
    'sweep.mjs': SWEEP,
    'past/message/ses_1/msg_1.json': '{}',
  })
  rmSync(join(folder, 'node_modules'))
  chmodSync(join(folder, 'fine.sh'), 0o755)
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnlyQuestion(folder)
  // The commands that are traced record descriptions: also into a file that is there.
  writeFileSync(join(folder, 'toolblocks.lock.json'), '{"version":1,"tools":{}}')
  return { folder, question: id }
}

/** A command, and the parts of the full folder that are missing where it runs. */
export interface TracedCommand {
  args: readonly string[]
  without?: readonly string[]
}

/** A name in a folder that a command opened, and the place in the program that did. */
interface Opened {
  name: string
  stack: string
}

/** Runs a command in a copy of a full folder. Returns its exit code, what it opened, and the copy. */
export async function traceCommand(
  full: FullFolder,
  command: TracedCommand,
): Promise<{ code: number | null; stderr: string; opened: readonly Opened[]; folder: string }> {
  const { folder, outside } = await copyFolder(full, command)
  const log = join(dirname(outside), 'opened')
  writeFileSync(log, '')
  const ended = await runToEnd(folder, command.args, {
    NODE_OPTIONS: `--import ${TRACER}`,
    TRACE_FILES: log,
  })
  const opened = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { path: string; stack: string } => JSON.parse(line))
    .filter(({ path }) => !path.startsWith('file:'))
    .map(({ path, stack }) => ({ name: relative(folder, resolve(folder, path)), stack }))
    .filter(({ name }) => name !== '' && !name.startsWith('..'))
  return { ...ended, opened, folder }
}

/** A link at a name of a folder: to a missing file of the user, or to an existing one. */
export interface PlantedLink {
  name: string
  target: 'missing' | 'existing'
  /** The folder in which the command has made the name. The existing file has that content, so that the command continues; an existing folder is empty. */
  made: string
}

/** Runs a command in a copy of a full folder that has a link. Returns how it ended, and the files of the user before and after. */
export async function runWithLink(
  full: FullFolder,
  command: TracedCommand,
  { name, target, made }: PlantedLink,
): Promise<{
  code: number | null
  stderr: string
  before: OutsideFiles
  after: OutsideFiles
}> {
  const trap = await copyFolder(full, command)
  const [path, kept] = [join(trap.folder, name), join(trap.outside, 'target')]
  if (target === 'existing') {
    const content = [path, join(made, name)].find((each) => existsSync(each))
    if (content === undefined) writeFileSync(kept, 'mine')
    else if (content !== path && statSync(content).isDirectory()) mkdirSync(kept)
    else cpSync(content, kept, { recursive: true })
  }
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(kept, path)
  const before = readOutside(trap)
  const ended = await runToEnd(trap.folder, command.args, {})
  return { ...ended, before, after: readOutside(trap) }
}

async function copyFolder(
  { folder: full }: FullFolder,
  { without = [] }: TracedCommand,
): Promise<Trap> {
  const trap = await setTrap([])
  rmSync(trap.folder, { recursive: true })
  cpSync(full, trap.folder, { recursive: true })
  for (const name of without) rmSync(join(trap.folder, name))
  return trap
}

/** The paths of files, and all that can change in each. */
type OutsideFiles = readonly (readonly [path: string, state: string])[]

/** Returns the files of the user beside a folder. */
export function readOutside({ outside, readFiles }: Trap): OutsideFiles {
  return [...readFiles()].filter(([path]) => path.startsWith(outside))
}

/** Runs a command. The page of the viewer is served until it is ended. */
async function runToEnd(
  folder: string,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stderr: string }> {
  if (args[0] !== 'view') return await run(folder, args, { ...process.env, ...more })
  const viewer = startToolblocks(folder, args, more)
  const [stderr] = await viewer.said(/[^]*ends the server|[^]*error: .*\n/)
  return { code: await viewer.end('SIGTERM'), stderr }
}
