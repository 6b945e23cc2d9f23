import {
  descriptionToDefinition,
  type LiveAction,
  mergeToolOverrides,
  parametersToSchema,
  type Problem,
  type ToolDefinition,
  type ToolDescription,
} from '@toolblocks/protocol'
import type { ToolConfiguration } from '../configuration/configuration.ts'
import { didYouMeanOneOf } from '../did-you-mean.ts'
import type { Description } from './descriptions/describe.ts'

/** Who said what is known of a tool; `both`: the configuration changed what the tool says. */
type Origin = 'configuration' | 'executable' | 'server' | 'both'

/** The parts of a definition that have an origin. */
type DefinitionPart = 'title' | 'summary' | 'description' | 'examples' | 'inputSchema'

/** What a tool says of itself, as far as a change of it matters. */
export type PinnedDefinition = ToolDefinition & Pick<ToolDescription, 'stateful' | 'actions'>

/** What a tool is, before it is made. */
export interface DefinedTool {
  definition: ToolDefinition
  /** What the executable calls it. */
  entry: string
  /** What the executable says, before the words of the configuration; absent where it was not asked. */
  described?: PinnedDefinition
  stateful?: boolean
  actions?: readonly LiveAction[]
  origins: Readonly<Partial<Record<DefinitionPart, Origin>>>
}

/** Whether a tool's executable has to say what the tool is; `parameters` are then overrides. */
export function needsDescription({ parameters, describe = false }: ToolConfiguration): boolean {
  return parameters === undefined || describe
}

/** A tool that its configuration describes. */
export function defineFromConfiguration(name: string, tool: ToolConfiguration): DefinedTool {
  const definition = {
    name,
    ...ownWords(tool),
    inputSchema: parametersToSchema(tool.parameters ?? {}),
  }
  return {
    definition,
    entry: entryOf(name, tool),
    origins: originsOf(definition, tool, 'configuration'),
  }
}

/** What came of defining a tool from what its executable says. */
export type DescribedTool =
  | {
      ok: true
      defined: DefinedTool
      /** Overrides that did not fit; paths are in the tool's table. */
      problems: readonly Problem[]
    }
  | { ok: false; message: string }

/** A tool that its executable describes, with the words of the configuration laid over. */
export function defineFromDescription(
  name: string,
  tool: ToolConfiguration,
  described: Description,
): DescribedTool {
  if (!described.ok) return described
  const entry = entryOf(name, tool)
  const description = described.tools.find((each) => each.name === entry)
  if (!description) return { ok: false, message: explainMissing(entry, described.tools) }
  const unusable = new Map(Object.entries(described.unusable)).get(entry)
  if (unusable !== undefined) return { ok: false, message: unusable }
  const own = { ...descriptionToDefinition(description), name }
  const { definition, problems } = mergeToolOverrides(own, {
    ...ownWords(tool),
    ...parametersOf(tool),
  })
  const { stateful, actions } = description
  const live = { ...(stateful !== undefined && { stateful }), ...(actions && { actions }) }
  return {
    ok: true,
    problems,
    defined: {
      definition,
      entry,
      described: { ...own, ...live },
      ...live,
      origins: originsOf(definition, tool, 'executable'),
    },
  }
}

function parametersOf({ parameters }: ToolConfiguration): Pick<ToolConfiguration, 'parameters'> {
  return parameters === undefined ? {} : { parameters }
}

/** `local.<entry>` names it; else the executable calls the tool what the configuration does. */
export function entryOf(name: string, { source }: ToolConfiguration): string {
  return source.startsWith('local.') ? source.slice('local.'.length) : name
}

const WORDS = ['title', 'summary', 'description', 'examples'] as const

type Words = Pick<ToolConfiguration, (typeof WORDS)[number]>

/** What a table says of its tool. */
export function ownWords(tool: Words): Words {
  return Object.fromEntries(
    WORDS.flatMap((word) => (tool[word] === undefined ? [] : [[word, tool[word]]])),
  )
}

/** The placeholder for what the tool itself says. */
const QUOTES_TOOL = /\{\{\s*description\s*\}\}/

/** Who said what of a tool that was described by `describer`, or by its table alone. */
export function originsOf(
  definition: ToolDefinition,
  tool: Words & Pick<ToolConfiguration, 'parameters'>,
  describer: 'configuration' | 'executable' | 'server',
): DefinedTool['origins'] {
  const words = WORDS.filter((word) => definition[word] !== undefined).map(
    (word): [DefinitionPart, Origin] => {
      if (tool[word] === undefined) return [word, describer]
      return [
        word,
        describer !== 'configuration' && QUOTES_TOOL.test(tool[word] ?? '')
          ? 'both'
          : 'configuration',
      ]
    },
  )
  const isChanged = describer !== 'configuration' && Object.keys(tool.parameters ?? {}).length > 0
  return Object.fromEntries([...words, ['inputSchema', isChanged ? 'both' : describer]])
}

function explainMissing(entry: string, tools: readonly ToolDescription[]): string {
  const names = tools.map(({ name }) => name)
  const known = didYouMeanOneOf(entry, names, 'it describes')
  return `its executable describes no tool ${JSON.stringify(entry)}${known}. Name one of them: source = "local.NAME"`
}
