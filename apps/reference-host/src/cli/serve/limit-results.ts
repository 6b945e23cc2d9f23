import { limitResult } from '@toolblocks/formatter'
import { createPictureFitter } from '@toolblocks/formatter/pictures'
import {
  adaptResult,
  findResultsProfile,
  fitOutputSchema,
  type HostProfile,
  type ResultsForm,
  type ServeCall,
} from '@toolblocks/mcp-bridge/server'
import type { ContentBlock, ToolDefinition, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { GroupedRecord } from './group-record.ts'
import { nameResult } from './shared-results.ts'

/** Its worker starts with the first picture that is too large for a host. */
const fitter = createPictureFitter()

/**
 * The part of a host's limit that a result fills. Hosts count texts as they write them for the model: with JSON escapes, and a frame around each block.
 */
const SHARE_OF_HOST = 0.9

/** A longer result of the tool that reads results would be cut by the host. */
const READ_LESS: ContentBlock = {
  type: 'text',
  text: '[Ask for fewer lines at a time to read all of them.]',
}

/** Leaves out what is not selected of results, truncates those over the budget or over the limit of a known host, and scales pictures that are too large for the host. The record has all of them. */
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
    const isReader = call.name === reader?.tool.name
    // While the record fails, it has no originals.
    const isKept = reader !== undefined && !isFailing()
    const fitPictures = async (limited: ToolResult, whole: ToolResult): Promise<ToolResult> => {
      if (!pictures) return limited
      if (isKept) return (await fitter.fitResult(limited, pictures, { original: whole })).result
      const { id: _unknown, ...unnamed } = limited
      const fitted = await fitter.fitResult(unnamed, pictures)
      return { ...fitted.result, ...(limited.id !== undefined && { id: limited.id }) }
    }
    if (isReader) {
      const read = budget < Infinity && profile ? limitRead(result, profile) : result
      return await fitPictures(read, result)
    }
    if (isWhole && !pictures) return result
    const losses = profile?.losses ?? []
    const canRead = isKept && findDefinition(reader.tool.name) !== undefined
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
      // What a host would cut is only known to be readable if a tool reads it.
      const limited = isWhole
        ? whole
        : profile && canRead
          ? limitForHost(whole, how, profile)
          : limitResult(whole, how)
      return await fitPictures(limited, whole)
    }
    if (conversation === undefined || result.id === undefined) return await limit(result)
    const limited = await limit({ ...result, id: nameResult(conversation, result.id) })
    // Another process reads the store.
    if (limited.content !== result.content) await flush?.()
    return { ...limited, id: result.id }
  }
}

type HostLimits = Parameters<typeof limitResult>[1]

/** Truncates a result that its host would cut without a word for the model about the call that reads the rest. */
function limitForHost(result: ToolResult, limits: HostLimits, profile: HostProfile): ToolResult {
  const { resultCharacters = Infinity } = profile
  const most = Math.floor(resultCharacters * SHARE_OF_HOST)
  let limited = limitResult(result, limits)
  let budget = Math.min(limits.budget, most)
  // The notes about what was cut need room too, and blocks of structured content become texts.
  for (let length = getLength(limited, profile); length > most && budget > 0;) {
    limited = limitResult(result, { ...limits, budget })
    length = getLength(limited, profile)
    budget = Math.floor((budget * most) / length)
  }
  return limited
}

/** Truncates a result of the tool that reads results; no other call reads the rest of it. */
function limitRead(result: ToolResult, profile: HostProfile): ToolResult {
  const limited = limitForHost(result, { budget: Infinity }, profile)
  return limited === result ? result : { ...limited, content: [...limited.content, READ_LESS] }
}

/** Bytes in UTF-8 of all texts that the model of a host receives. Some hosts count bytes, which are at least as many as characters. */
function getLength(result: ToolResult, profile: HostProfile): number {
  const { content, structuredContent } = adaptResult(result, profile)
  const texts = content.map((block) => {
    if (block.type === 'text') return block.text
    return block.type === 'resource' ? (block.resource.text ?? '') : ''
  })
  const isShown = structuredContent !== undefined && !profile.losses.includes('structure')
  return [...texts, ...(isShown ? [JSON.stringify(structuredContent)] : [])].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )
}
