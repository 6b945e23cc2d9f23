import { dirname } from 'node:path'
import { useValidator } from '@toolblocks/schema-check/written'
import { DELEGATE } from '@toolblocks/agent/names'
import { checkParameters } from './check-parameters.ts'
import type { Configuration, ConfigurationProblem, PlacedMessage } from './configuration.ts'
import { adoptConversationTools } from './adopt-conversation-tools.ts'
import { placeProblem } from './place-problem.ts'
import { readToml, type TomlDocument } from './read-toml.ts'
import { splitTools, type ToolTable } from './split-tools.ts'
import { validate } from './validate-configuration.js'

/** The configuration, or everything that is wrong with it. */
export type ParsedConfiguration =
  | { ok: true; configuration: Configuration; warnings: readonly ConfigurationProblem[] }
  | { ok: false; problems: readonly ConfigurationProblem[] }

type Table = Readonly<Record<string, unknown>>

/** Reads the text of a `toolblocks.toml`; `file` is only named, never opened. */
export async function parseConfiguration(text: string, file: string): Promise<ParsedConfiguration> {
  const toml = readToml(text)
  if (!toml.ok) return { ok: false, problems: [{ file, key: '', ...tomlProblem(toml) }] }
  const { document } = toml
  const { value, adopted, ignored } = adoptConversationTools(document.value)
  const locate = (message: PlacedMessage): ConfigurationProblem =>
    locateMessage(message, { document, file, adopted })
  const problems = checkShape(value)
  if (problems.length > 0) return { ok: false, problems: problems.map(locate) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was checked
  const {
    tools: tables = {},
    mcp,
    format = {},
    deduplication = {},
    budget = {},
    store,
    model,
    agents = {},
  } = value as Written
  const { local: tools, mcp: mcpTools, problems: misplaced } = splitTools(tables)
  const unusable = [...misplaced, ...findTakenNames(tables, agents)]
  if (unusable.length > 0) return { ok: false, problems: unusable.map(locate) }
  const checked = Object.entries({ ...tools, ...mcpTools }).map(
    async ([name, tool]) => await checkParameters(name, tool),
  )
  const misfits = (await Promise.all(checked)).flat()
  if (misfits.length > 0) return { ok: false, problems: misfits.map(locate) }
  const configuration = {
    file,
    root: dirname(file),
    tools,
    mcp: { servers: mcp?.servers ?? {}, tools: mcpTools },
    format,
    deduplication,
    budget,
    ...(store && { store }),
    ...(model && { model }),
    agents,
    locate,
  }
  const warnings = ignored.map((path) => ({
    path,
    message: 'this key means nothing here and was ignored',
  }))
  return { ok: true, configuration, warnings: warnings.map(locate) }
}

/** The tool that agents are called with is there by itself. */
function findTakenNames(
  tables: NonNullable<Written['tools']>,
  agents: Configuration['agents'],
): readonly PlacedMessage[] {
  if (Object.keys(agents).length === 0 || !Object.hasOwn(tables, DELEGATE)) return []
  const message = 'is the name of the tool that [agents] are called with; expected another name'
  return [{ path: ['tools', DELEGATE], message }]
}

/** Where TOML is wrong, as far as that is known. */
function tomlProblem({
  line,
  message,
}: Extract<ReturnType<typeof readToml>, { ok: false }>): Pick<
  ConfigurationProblem,
  'line' | 'message'
> {
  return { ...(line !== undefined && { line }), message }
}

/** A file of the right shape. */
interface Written extends Partial<
  Pick<Configuration, 'format' | 'deduplication' | 'budget' | 'store' | 'model' | 'agents'>
> {
  tools?: Readonly<Record<string, ToolTable>>
  mcp?: Partial<Pick<Configuration['mcp'], 'servers'>>
}

/** Written ahead: compiling the schema took a quarter of the time of a call. */
const check = useValidator(validate)

function checkShape(value: Table): readonly PlacedMessage[] {
  return check(value).problems.map((problem) => placeProblem(problem, value))
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
