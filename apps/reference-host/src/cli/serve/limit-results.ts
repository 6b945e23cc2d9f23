import { limitResult } from '@toolblocks/formatter'
import { createPictureFitter } from '@toolblocks/formatter/pictures'
import {
  findResultsProfile,
  fitOutputSchema,
  type ResultsForm,
  type ServeCall,
} from '@toolblocks/mcp-bridge/server'
import type { ToolDefinition, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { GroupedRecord } from './group-record.ts'
import { nameResult } from './shared-results.ts'

/** Its worker starts with the first picture that is too large for a host. */
const fitter = createPictureFitter()

/** Leaves out what is not selected of results, truncates those over the budget, and scales pictures that are too large for the host. The record has all of them. */
export function limitResults(
  callTool: ServeCall,
  {
    budget,
    results,
    readers,
    isFailing,
    findDefinition,
    conversation,
    flush,
  }: {
    budget: number
    /** The form of results, as `ToolService` has it. */
    results: ResultsForm
    readers: readonly ToolEntry[]
    isFailing: () => boolean
    findDefinition: (tool: string) => ToolDefinition | undefined
    /** The conversation, if another process may read its results. */
    conversation?: string
    flush?: GroupedRecord['flush']
  },
): ServeCall {
  const [reader] = readers
  return async (call, context, client) => {
    const result = await callTool(call, context, client)
    const definition = findDefinition(call.name)
    const profile = findResultsProfile(results, client.info, definition)
    const isWhole = budget === Infinity && result.metadata?.select === undefined
    const pictures = profile?.pictures
    if ((isWhole && !pictures) || call.name === reader?.tool.name) return result
    const losses = profile?.losses ?? []
    // While the record fails, there is nothing to read.
    const isOffered = reader !== undefined && findDefinition(reader.tool.name) !== undefined
    const canRead = isOffered && !isFailing()
    // A host that gets structured content as text was promised nothing.
    const isPromised = 'structuredContent' in result && !losses.includes('structure-or-content')
    const promised = isPromised ? definition?.outputSchema : undefined
    const how = {
      budget,
      // What a model does not get needs no room and no note.
      ...(losses.includes('audience') && { audience: 'assistant' as const }),
      ...(canRead && { readTool: reader.tool.name }),
      ...(promised !== undefined && {
        isPromised: (structuredContent: unknown) =>
          fitOutputSchema({ structuredContent }, promised).kind !== 'unfit',
      }),
    }
    const limit = async (whole: ToolResult): Promise<ToolResult> => {
      const limited = isWhole ? whole : limitResult(whole, how)
      if (!pictures) return limited
      const { readTool } = how
      if (readTool !== undefined)
        return (await fitter.fitResult(limited, pictures, { original: whole, readTool })).result
      // No note names a result that nothing reads.
      const { id: _limited, ...unread } = limited
      const { id: _whole, ...original } = whole
      const fitted = await fitter.fitResult(unread, pictures, { original })
      return { ...fitted.result, ...(whole.id !== undefined && { id: whole.id }) }
    }
    if (conversation === undefined || result.id === undefined) return await limit(result)
    const limited = await limit({ ...result, id: nameResult(conversation, result.id) })
    // Another process reads the store.
    if (limited.content !== result.content) await flush?.()
    return { ...limited, id: result.id }
  }
}
