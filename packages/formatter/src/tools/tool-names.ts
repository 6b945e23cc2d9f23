import { isJsonObject, type ToolCall } from '@toolblocks/protocol'
import { argumentsObject } from './arguments-object.ts'
import type { NameMap } from './name-map.ts'
import type { ParameterNames } from './name-properties.ts'

/** What tools and their parameters are called at a provider, and back. */
export interface ToolNames {
  /** A call as the provider is told of it; its arguments are an object, which every provider insists on. */
  toProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
  /** A call as the model made it, in the names of the tools. Names that nobody told it stay as they are. */
  fromProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
}

/** Maps calls by the names of tools, and by those of each tool's parameters where some had to change. */
export function createToolNames(
  names: NameMap,
  parameters: ReadonlyMap<string, ParameterNames>,
): ToolNames {
  return {
    toProvider: ({ name, arguments: given }) => {
      const read = argumentsObject(given)
      return { name: names.to(name), arguments: parameters.get(name)?.toProvider(read) ?? read }
    },
    fromProvider: ({ name: theirs, arguments: given }) => {
      const name = names.from(theirs)
      // Arguments that are no object go on as they came: an executor refuses them in words.
      if (!isJsonObject(given)) return { name, arguments: given }
      return { name, arguments: parameters.get(name)?.fromProvider(given) ?? given }
    },
  }
}
