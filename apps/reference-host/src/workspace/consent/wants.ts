import { resolve } from 'node:path'
import { resolveProgram } from '@toolblocks/local-executor'
import { formatCommand } from '@toolblocks/local-executor/internal'
import type { ParameterDefinition } from '@toolblocks/protocol'
import { isRuleOfTool } from '@toolblocks/tool-executor/internal/rules'
import { findMarkedArguments } from '@toolblocks/protocol/internal'
import type { Configuration } from '../configuration/configuration.ts'
import type { AgentConfiguration } from '../configuration/table-schemas.ts'
import type { McpToolConfiguration, ToolConfiguration } from '../configuration/tool-schema.ts'
import { readStoreAddress } from '../store/choose-store.ts'
import { showPath } from '../files/real-path.ts'
import { hashJson, orderedJson } from '../files/hash-json.ts'
import { maskNamedAddress } from '../servers/mask-server.ts'
import { selectServers, type WrittenServer } from '../servers/written-servers.ts'
import { readModelAddress } from '../model/providers.ts'
import { needsDescription } from '../tools/define-tool.ts'
import { getDesktopProgram } from '../questions/desktop-notification.ts'
import {
  getServerOfTool,
  limitedLine,
  listArgumentLimits,
  listExceptions,
  listRuleParts,
  ruleLines,
} from './rule-wants.ts'
import { serveLines } from './serve-wants.ts'
import { serverLines } from './server-wants.ts'
import { describeProgram, type Effect, maskedLine, quote, type WantLine } from './want-line.ts'
import type { WantedPart, WantSources } from './want-sources.ts'

/** One effect that a folder asks for: its files have it beyond the folder. */
export interface Want {
  part: WantedPart
  effect: Effect
  /** The complete text, on one line. It comes from outside: encode it before it is shown. */
  text: string
  /**
   * SHA-256 of the effect and the text with the values that are masked in it, in hexadecimal digits. A person agrees to exactly the text that was
   * shown, and another value in place of a masked one is another want.
   */
  hash: string
  /** The hashes of what the text excepts. Whoever has agreed to a want has agreed to the same one with more exceptions, but not with fewer. Absent: it excepts nothing. */
  limits?: readonly string[]
  /** The path of the program that it starts. Absent: it starts none, or there is no such program. */
  program?: string
}

/** What a configuration and the `.mcp.json` beside it ask for. */
export interface Wants {
  /** Returns every want. */
  list(): readonly Want[]
  /** Returns the wants about one part. Only its programs are looked up. */
  of(part: WantedPart): readonly Want[]
}

/** Returns the parts on which a tool depends: its table and its server. */
export function listToolParts(
  tool: string,
  { configuration, servers }: { configuration: Configuration; servers: readonly WrittenServer[] },
): readonly WantedPart[] {
  const own = selectServers(servers, configuration, [tool])
  return [`tool ${tool}`, ...own.map(({ name }): WantedPart => `server ${name}`)]
}

/**
 * Lists everything that the files of a folder start, reach, read, send, write or loosen. Keys without a want, such as the format of results,
 * budgets and texts for a model, have no effect beyond the folder.
 */
export function createWants(sources: WantSources): Wants {
  const parts = new Map(listParts(sources))
  const known = new Map<WantedPart, readonly Want[]>()
  function getWants(part: WantedPart): readonly Want[] {
    const wants = known.get(part) ?? toWants(part, parts.get(part)?.() ?? [])
    known.set(part, wants)
    return wants
  }
  /** What a part reads, sends or loosens is agreed to for the program or the address of the part, and of its server. */
  function toWants(part: WantedPart, lines: readonly WantLine[]): readonly Want[] {
    const server = getServerOfTool(part, sources.configuration)
    const own = lines.map(([effect, text, program, written = text, limits = []]) => ({
      want: {
        part,
        effect,
        text,
        ...(program !== undefined && { program }),
        ...(limits.length > 0 && { limits: limits.map(hashJson) }),
      },
      hash: hashJson([effect, written]),
    }))
    const bases = [
      ...(server === undefined ? [] : getWants(`server ${server}`).filter(isBase)),
      ...listRuleParts(part, sources).flatMap((each) => getWants(each).filter(isBase)),
      ...own.map(({ want, hash }) => ({ ...want, hash })).filter(isBase),
    ].map(({ hash }) => hash)
    return own.map(({ want, hash }) => ({
      ...want,
      hash: isBase(want) ? hash : hashJson([hash, ...bases]),
    }))
  }
  return { list: () => [...parts.keys()].flatMap(getWants), of: getWants }
}

/** Whether a line names the program or the address of a part, to which its other lines belong. */
function isBase({ effect }: Pick<Want, 'effect'>): boolean {
  return effect === 'starts' || effect === 'reaches'
}

type Part = readonly [part: WantedPart, getLines: () => readonly WantLine[]]

/** Returns every part with the function that looks up what it asks for. */
function listParts(sources: WantSources): readonly Part[] {
  const { configuration, servers, environment } = sources
  const {
    root,
    tools,
    mcp,
    agents,
    prompts,
    resources,
    approvals: { rules = [] } = {},
  } = configuration
  const toMcpClients = (what: string, path: string): readonly WantLine[] => [
    ['sends', `${what} ${showPath(resolve(root, path))} to MCP clients`],
  ]
  return [
    ...toParts('tool', tools, (name, tool) => toolLines(name, tool, sources)),
    ...servers.map((server): Part => [`server ${server.name}`, () => serverLines(server, sources)]),
    ...toParts('tool', mcp.tools, (name, table) => serverToolLines(name, table, sources)),
    ['model', () => modelLines(configuration, environment)],
    ...toParts('agent', agents, agentLines),
    ...toParts('prompt', prompts, (name, { file }) =>
      toMcpClients(`prompt ${quote(name)}: the file`, file),
    ),
    [
      'resources',
      () => (resources ? toMcpClients('resources: the files in', resources.folder) : []),
    ],
    ...rules.map((text): Part => [`rule ${text}`, () => ruleLines(text, configuration)]),
    ['questions', () => questionsLines(configuration, environment)],
    ['serve', () => serveLines(configuration)],
    ['store', () => storeLines(configuration)],
  ]
}

function toParts<Table>(
  kind: 'tool' | 'agent' | 'prompt',
  tables: Readonly<Record<string, Table>>,
  getLines: (name: string, table: Table) => readonly WantLine[],
): readonly Part[] {
  return Object.entries(tables).map(([name, table]) => [
    `${kind} ${name}`,
    () => getLines(name, table),
  ])
}

function toolLines(
  name: string,
  tool: ToolConfiguration,
  { configuration: { root, approvals }, environment }: WantSources,
): readonly WantLine[] {
  const { command, source, options, env = [] } = tool
  const details = [
    ...(source.startsWith('local.') ? [`as ${quote(source.slice('local.'.length))}`] : []),
    ...(needsDescription(tool) ? ['also to ask for its description'] : []),
    ...(tool.format_arguments
      ? ['also to format the arguments of a call before you approve it']
      : []),
    ...(tool.stateful || tool.pty ? ['it may stay alive between calls'] : []),
    ...(options ? [`its options are ${orderedJson(options)}`] : []),
    ...(tool.pin ? ['its description is pinned'] : []),
  ]
  const program = resolveProgram(command, { root, environment })
  const started = `${quote(name)}: ${formatCommand(command)} ${describeProgram(program)}`
  return [
    ['starts', [started, ...details].join(', '), program],
    ...(env.length > 0
      ? [['reads', `${quote(name)}: the variables ${env.map(quote).join(', ')}`] as const]
      : []),
    ...looseningLines(name, tool, approvals),
  ]
}

function serverToolLines(
  name: string,
  table: McpToolConfiguration,
  { configuration: { approvals }, servers }: WantSources,
): readonly WantLine[] {
  // What the server says of its tools holds for this one under its own name.
  const run = table.run ?? servers.find((server) => server.name === table.server)?.own.run
  const which = `the tool ${quote(table.tool)} of the server ${quote(table.server)}`
  return [
    ['reaches', `${quote(name)}: ${which}`],
    ...looseningLines(name, { ...table, ...(run !== undefined && { run }) }, approvals),
  ]
}

/** Returns the lines for the decisions that a tool's table makes in place of a person. */
function looseningLines(
  name: string,
  table: Pick<
    ToolConfiguration | McpToolConfiguration,
    'run' | 'questions' | 'parameters' | 'fixed' | 'hidden' | 'on_turn_end'
  >,
  approvals: Configuration['approvals'],
): readonly WantLine[] {
  const { run, questions = {}, parameters = {}, fixed = {} } = table
  // Without one of these limits, the calls that run would be others.
  const limits = listArgumentLimits(table)
  const always = limits.length === 0 ? '' : `, always with ${limits.join(', ')}`
  const exceptions = listExceptions(approvals?.rules, (rule) => isRuleOfTool(rule, name))
  const createLooseningLine = (text: string): WantLine => ['loosens', `${quote(name)}: ${text}`]
  return [
    ...(run === 'unattended'
      ? [limitedLine(`${quote(name)}: its calls run without asking you${always}`, { exceptions })]
      : []),
    ...Object.entries(questions).flatMap(([id, question]) =>
      questionTexts(id, question).map(createLooseningLine),
    ),
    ...getDefaults(parameters).map(([path, value]) =>
      createLooseningLine(`the argument ${quote(path)} is ${value} if a call does not set it`),
    ),
    ...Object.entries(fixed).map(([argument, value]) =>
      createLooseningLine(`the argument ${quote(argument)} is ${orderedJson(value)} in every call`),
    ),
    ...findMarkedArguments(parameters, 'code').map((path) =>
      createLooseningLine(
        `the argument ${quote(path)} is run as program text, which a model writes`,
      ),
    ),
    ...findMarkedArguments(parameters, 'allow_dash').map((path) =>
      createLooseningLine(
        `the argument ${quote(path)} may begin with a dash, which the program can read as an option`,
      ),
    ),
    ...(table.on_turn_end === 'keep'
      ? [createLooseningLine('live calls continue after the end of a turn')]
      : []),
  ]
}

function questionTexts(
  id: string,
  { answer, target, fallback }: NonNullable<ToolConfiguration['questions']>[string],
): readonly string[] {
  const question = `its question ${quote(id)}`
  return [
    ...(answer === undefined ? [] : [`${question} is answered with ${orderedJson(answer)}`]),
    ...(target === undefined || target === 'user'
      ? []
      : [
          `${question} is answered by a model${typeof target === 'string' ? '' : ` with the settings ${orderedJson(target)}`}`,
        ]),
    ...(fallback === undefined || fallback === 'fail'
      ? []
      : [
          `${question} is answered ${fallback === 'default' ? 'with its default' : 'by a model'} if you cannot be asked`,
        ]),
  ]
}

/** Returns argument values that neither a person nor a model has given, by dotted path. */
function getDefaults(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  before = '',
): readonly (readonly [path: string, value: string])[] {
  return Object.entries(parameters).flatMap(([name, { default: preset, properties, items }]) => {
    const path = `${before}${name}`
    return [
      ...(preset === undefined ? [] : [[path, orderedJson(preset)] as const]),
      ...getDefaults(properties ?? {}, `${path}.`),
      ...getDefaults(items ? { items } : {}, `${path}.`),
    ]
  })
}

function modelLines(
  { model }: Pick<Configuration, 'model'>,
  environment: WantSources['environment'],
): readonly WantLine[] {
  const address = model && readModelAddress(model, environment)
  if (!address) return []
  const key = address.keyName === undefined ? '' : `, with the key in ${quote(address.keyName)}`
  const name = `${model.provider} ${quote(model.name ?? '')}`
  return [
    maskedLine('sends', address.url, {
      mask: maskNamedAddress,
      describe: (url) => `model: conversations to ${name} at ${url}${key}`,
    }),
  ]
}

/** Returns the lines about an agent. The model can hand work to it; its tools have wants of their own. */
function agentLines(name: string, agent: AgentConfiguration): readonly WantLine[] {
  const { summary, model, tools, instructions, max_depth: depth = 1 } = agent
  const details = [
    JSON.stringify(summary),
    model === undefined ? 'with the model of the conversation' : `with the model ${quote(model)}`,
    tools === undefined ? 'all tools' : `the tools ${tools.map(quote).join(', ') || 'none'}`,
    ...(instructions === undefined ? [] : [`the instructions ${JSON.stringify(instructions)}`]),
    ...(depth > 1 ? [`started by agents too, ${depth} levels deep`] : []),
  ]
  return [['sends', `agent ${quote(name)}: work that a model hands to it, ${details.join(', ')}`]]
}

/** Returns the lines about the program that learns of questions. When they expire has no effect beyond the folder. */
function questionsLines(
  { root, questions: { notify } = {} }: Pick<Configuration, 'root' | 'questions'>,
  environment: WantSources['environment'],
): readonly WantLine[] {
  if (!notify) return []
  if (notify === 'desktop') {
    const name = getDesktopProgram()
    const described = describeProgram(resolveProgram([name], { root, environment }))
    const what = 'a notification of the desktop when a question waits for you, with the question'
    return [['starts', `questions: ${name} ${described}, ${what}`]]
  }
  const program = describeProgram(resolveProgram(notify, { root, environment }))
  const text = `questions: ${formatCommand(notify)} ${program}, when a question waits for you, with the question`
  return [['starts', text]]
}

function storeLines({ root, store }: Pick<Configuration, 'root' | 'store'>): readonly WantLine[] {
  if (!store) return []
  const { file, url } = readStoreAddress(store.url, root)
  if (file === undefined)
    return [
      maskedLine('writes', url, {
        mask: maskNamedAddress,
        describe: (address) => `conversations: the database ${address}, ${PASSWORD}`,
      }),
    ]
  return [['writes', `conversations: the file ${showPath(file)}`]]
}

const PASSWORD = 'with the password in PGPASSWORD or ~/.pgpass where the address has none'
