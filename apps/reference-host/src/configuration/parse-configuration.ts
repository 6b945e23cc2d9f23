import { dirname } from 'node:path'
import type { Problem } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import type { Configuration, ConfigurationProblem, PlacedMessage } from './configuration.ts'
import { configurationSchema, toolKeys } from './configuration-schema.ts'
import { readToml, type TomlDocument } from './read-toml.ts'

/** The configuration, or everything that is wrong with it. */
export type ParsedConfiguration =
  | { ok: true; configuration: Configuration; warnings: readonly ConfigurationProblem[] }
  | { ok: false; problems: readonly ConfigurationProblem[] }

type Table = Readonly<Record<string, unknown>>

/** Reads the text of a `toolblocks.toml`; `file` is only named, never opened. */
export function parseConfiguration(text: string, file: string): ParsedConfiguration {
  const toml = readToml(text)
  if (!toml.ok)
    return { ok: false, problems: [{ file, line: toml.line, key: '', message: toml.message }] }
  const { document } = toml
  const { value, adopted, warnings } = adoptConversationTools(document, file)
  const locate = (message: PlacedMessage): ConfigurationProblem =>
    locateMessage(message, { document, file, adopted })
  const problems = checkShape(value)
  if (problems.length > 0) return { ok: false, problems: problems.map(toPlaced).map(locate) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was checked
  const { tools = {}, format = {} } = value as Partial<Configuration>
  const configuration = { file, root: dirname(file), tools, format, locate }
  return { ok: true, configuration, warnings }
}

function checkShape(value: Table): readonly Problem[] {
  const compiled = compileSchema(configurationSchema)
  if (!compiled.ok) return compiled.problems
  return compiled.check(value).problems
}

interface Adopted {
  value: Table
  /** The tools that were written as `[conversation.tools.<name>]`. */
  adopted: ReadonlySet<string>
  warnings: readonly ConfigurationProblem[]
}

/** `[conversation.tools.<name>]`, an older spelling, is accepted too; keys of it that mean nothing here are said. */
function adoptConversationTools(document: TomlDocument, file: string): Adopted {
  const { conversation, ...value } = document.value
  const older = tableIn(tableIn({ conversation }, 'conversation'), 'tools')
  const warnings: ConfigurationProblem[] = []
  const tools = Object.entries(older).map(([name, tool]) => {
    const entries = Object.entries(asTable(tool)).filter(([key]) => {
      if (toolKeys.includes(key)) return true
      const path = ['conversation', 'tools', name, key]
      const line = document.lineOf(path)
      const message = 'this key means nothing here and was ignored'
      warnings.push({ file, ...(line !== undefined && { line }), key: path.join('.'), message })
      return false
    })
    return [name, Object.fromEntries(entries)] as const
  })
  const merged = { ...Object.fromEntries(tools), ...tableIn(value, 'tools') }
  return {
    value: Object.keys(older).length === 0 ? value : { ...value, tools: merged },
    adopted: new Set(Object.keys(older)),
    warnings,
  }
}

function tableIn(table: Table, key: string): Table {
  return asTable(table[key])
}

function asTable(value: unknown): Table {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function toPlaced({ path, message }: Problem): PlacedMessage {
  const steps = path.split('/').slice(1)
  return { path: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')), message }
}

function locateMessage(
  { path, message }: PlacedMessage,
  place: { document: TomlDocument; file: string; adopted: ReadonlySet<string> },
): ConfigurationProblem {
  const isAdopted = path[0] === 'tools' && place.adopted.has(path[1] ?? '')
  const written = isAdopted ? ['conversation', ...path] : path
  const line = place.document.lineOf(written)
  return {
    file: place.file,
    ...(line !== undefined && { line }),
    key: written.join('.'),
    message,
  }
}
