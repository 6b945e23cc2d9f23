import { readProgramVersion } from '../../process/program-version.ts'
import { joinTerminal } from '@toolblocks/renderer'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import { isOlder } from '../../process/own-package.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import { CONFIGURATION_FILE, findConfiguration } from '../../workspace/files/find-configuration.ts'
import { formatTomlTable } from '../../workspace/configuration/format-toml.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { type NewFile, writeInOneStep, writeTogether } from '../../workspace/files/write-file.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { getFileLock, withLock } from '../../workspace/locks/with-lock.ts'
import { refuse } from '../../terminal/refuse.ts'
import { agreeToWritten } from '../../workspace/consent/decisions.ts'
import { type Language, type NewTool, newTool } from './new-tool/languages.ts'

/** The options of `toolblocks new NAME`. */
export interface NewToolOptions {
  /** Default: a language that this machine can run. */
  language?: Language
  config?: string
}

/** `toolblocks new NAME`: writes a tool with its test, and adds it to the configuration. No existing file is replaced. */
export async function writeNewTool(
  context: CommandContext,
  name: string,
  { language: wanted, config }: NewToolOptions,
): Promise<number> {
  const { terminal, folder } = context
  const file =
    config === undefined
      ? (findConfiguration(folder) ?? join(folder, CONFIGURATION_FILE))
      : resolve(folder, config)
  const root = dirname(file)
  const target = await readTarget(folder, name, config)
  if (!target.ok) return refuse(terminal, target.messages)
  const chosen = await chooseLanguage(wanted, root)
  if (!chosen.ok) return refuse(terminal, [chosen.message])
  const tool = newTool(name, chosen.language, root)
  const table = getTable(name, tool.command)
  const written = await withLock(getFileLock(file), waitAtTerminal(context), async () => {
    // Another process may have written the file in the meantime.
    const current = existsSync(file) ? await readTarget(folder, name, file) : target
    return current.ok ? await writeFiles(file, { name, table, tool, text: current.text }) : current
  })
  if (!written.ok) {
    const code = refuse(terminal, written.messages)
    if (written.isFull) terminal.note(terminal.sanitize(table))
    return code
  }
  const parsed = await parseConfiguration(written.text, file)
  if (parsed.ok)
    await agreeToWritten(context, parsed.configuration, (part) => part === `tool ${name}`)
  printNextSteps(context, { name, tool, file })
  return EXIT.ok
}

/** The text of the configuration to change; `undefined` if the file does not exist yet. */
type NewToolTarget =
  | { ok: true; text: string | undefined }
  | { ok: false; messages: readonly string[]; isFull?: never }

/** A name that models accept for a tool. It becomes a TOML key and part of file names. */
const NAME = /^[A-Za-z_][\w-]{0,63}$/

async function readTarget(
  folder: string,
  name: string,
  config: string | undefined,
): Promise<NewToolTarget> {
  if (!NAME.test(name)) {
    const message = `invalid tool name: expected up to 64 letters, digits, "_" and "-", beginning with a letter or "_", got ${JSON.stringify(name)}`
    return { ok: false, messages: [message] }
  }
  if (config === undefined && findConfiguration(folder) === undefined)
    return { ok: true, text: undefined }
  const loaded = await loadConfiguration(folder, config)
  if (!loaded.ok) return { ok: false, messages: loaded.problems.map(describeProblem) }
  const { configuration } = loaded
  if (!Object.hasOwn(configuration.tools, name))
    return { ok: true, text: readFileSync(configuration.file, 'utf8') }
  const there = configuration.locate({
    path: ['tools', name],
    message: 'a tool with this name exists already; nothing was written',
  })
  return { ok: false, messages: [describeProblem(there)] }
}

/** Writes the files of a tool, and its table into the configuration: all, or none. */
async function writeFiles(
  file: string,
  {
    name,
    table,
    tool,
    text,
  }: { name: string; table: string; tool: NewTool; text: string | undefined },
): Promise<
  | { ok: true; text: string }
  /** `isFull`: the configuration cannot hold another table. */
  | { ok: false; messages: readonly string[]; isFull?: true }
> {
  const root = dirname(file)
  const longer = await appendTool(text ?? '', name, table)
  if (longer === undefined) {
    const message = `${file} cannot hold another table; nothing was written. Add this to it yourself:`
    return { ok: false, messages: [message], isFull: true }
  }
  const first: readonly NewFile[] =
    text === undefined ? [{ name: relative(root, file), text: longer, mode: 0o644 }] : []
  const written = await writeTogether(root, [...tool.files, ...first])
  if (!written.ok) return { ok: false, messages: [`${written.message}; nothing was written`] }
  const failed = text === undefined ? undefined : replaceConfiguration(file, longer)
  if (failed === undefined) return { ok: true, text: longer }
  for (const { name: each } of tool.files) rmSync(join(root, each), { force: true })
  return { ok: false, messages: [`${file} cannot be written: ${failed}; nothing was written`] }
}

function replaceConfiguration(file: string, text: string): string | undefined {
  try {
    const target = { path: file, below: dirname(file) }
    writeInOneStep(target, text, { mode: statSync(file).mode & 0o777 })
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return error.message
  }
}

function printNextSteps(
  { terminal, command, folder }: CommandContext,
  { name, tool, file }: { name: string; tool: NewTool; file: string },
): void {
  const [program, test] = tool.files.map((each) => relative(folder, join(dirname(file), each.name)))
  const lines = [
    `Wrote ${program} and ${test}, and added ${name} to ${relative(folder, file)}. Try:`,
    `  ${tool.tester} ${test}`,
    `  ${command} tools`,
    `  ${command} call ${name} --arg who=Ada`,
    'When you change what the tool does, change its test too.',
  ]
  terminal.print(joinTerminal(lines.map(terminal.style.plain), '\n'))
}

/** The first version of Node that runs TypeScript without a build. */
const NODE_FOR_TYPESCRIPT = '22.18'

/** The language of a new tool, or why it cannot be used. */
type ChosenLanguage = { ok: true; language: Language } | { ok: false; message: string }

/** Chooses a language that this machine can run: TypeScript if the Node on the PATH runs it, else Python, else bash. */
async function chooseLanguage(
  wanted: Language | undefined,
  folder: string,
): Promise<ChosenLanguage> {
  if (wanted !== undefined && wanted !== 'ts') return { ok: true, language: wanted }
  const node = await readProgramVersion('node', folder)
  if (node !== undefined && !isOlder(node, NODE_FOR_TYPESCRIPT)) return { ok: true, language: 'ts' }
  if (wanted === undefined) {
    const python = await readProgramVersion('python3', folder)
    return { ok: true, language: python === undefined ? 'bash' : 'python' }
  }
  const nodeState = node === undefined ? 'there is no node' : `node is ${node}`
  const message = `a tool in TypeScript needs Node ${NODE_FOR_TYPESCRIPT} or newer on the PATH, and ${nodeState}; install a newer one, or write it with --language python or bash`
  return { ok: false, message: `${message}; nothing was written` }
}

/** Returns the table of a tool: only `source` and `command`, because the tool describes itself. */
export function getTable(name: string, command: readonly string[]): string {
  return formatTomlTable(['tools', name], { source: 'local', command })
}

/** Appends the table of a tool. Returns `undefined` if the configuration cannot hold more tables. */
export async function appendTool(
  text: string,
  name: string,
  table: string,
): Promise<string | undefined> {
  return await appendTable(text, table, ({ tools }) => Object.hasOwn(tools, name))
}

/**
 * Appends a table to the text of a configuration, and keeps the existing text with its comments. Returns `undefined` if the configuration cannot
 * hold more tables (`tools = {…}`), so that the table would not be found in it.
 */
export async function appendTable(
  text: string,
  table: string,
  isThere: (configuration: Configuration) => boolean,
): Promise<string | undefined> {
  const between = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const added = `${between}${table}`
  const longer = `${text}${text.includes('\r\n') ? added.replaceAll('\n', '\r\n') : added}`
  const parsed = await parseConfiguration(longer, 'toolblocks.toml')
  return parsed.ok && isThere(parsed.configuration) ? longer : undefined
}
