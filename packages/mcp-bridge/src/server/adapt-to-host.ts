import {
  type ContentBlock,
  type ToolDefinition,
  type ToolResult,
  getAudience,
  getText,
} from '@toolblocks/protocol'
import {
  findValueForPerson,
  formatByteSize,
  formatNote,
  getBase64ByteLength,
  isRepeatedContent,
  replaceMedia,
  requireArguments,
} from '@toolblocks/protocol/internal'
import type { HostLoss, HostProfile } from './host-profile.ts'

/**
 * Returns a result of which the model of a host receives everything that is for it: structured content becomes a text unless the content says it
 * already, what is only for the user is left out, links and files are named in a text, and an error says that it is one. All of it only as far as the host needs it.
 */
export function adaptResult(result: ToolResult, profile: HostProfile): ToolResult {
  requireArguments(
    'adaptResult(result, profile)',
    [result, { content: 'array' }],
    [profile, { losses: 'array' }],
  )
  const { losses } = profile
  const loses = (loss: HostLoss): boolean => losses.includes(loss)
  const { structuredContent, ...rest } = result
  const forModel = loses('audience')
    ? rest.content.filter((block) => getAudience(block) !== 'user')
    : rest.content
  const named = forModel.flatMap((block) => nameContent(block, loses))
  const isLost = loses('structure-or-content') || loses('structure')
  const structure =
    structuredContent === undefined || !isLost ? [] : describeStructure(forModel, structuredContent)
  const isEmpty = result.isError && named.length + structure.length === 0
  const mark: ContentBlock[] =
    result.isError && loses('errors') ? [{ type: 'text', text: 'The tool reported an error:' }] : []
  const content = isEmpty ? [NO_TEXT] : [...mark, ...named, ...structure]
  return {
    ...rest,
    ...(structuredContent !== undefined && !loses('structure-or-content') && { structuredContent }),
    content: loses('ends-of-texts') ? withLineBreaks(content) : content,
  }
}

/** Providers refuse an error without content. */
const NO_TEXT: ContentBlock = {
  type: 'text',
  text: 'The tool reported an error. It has no text for you; the user can see it.',
}

/** Returns a definition for a host: what its model gets as text is not promised as structured content. */
export function adaptDefinition(
  definition: ToolDefinition,
  { losses }: HostProfile,
): ToolDefinition {
  if (!losses.includes('structure-or-content')) return definition
  const { outputSchema: _moved, ...rest } = definition
  return rest
}

/** Begins each text after another one on a new line. */
function withLineBreaks(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.map((block, index) =>
    block.type === 'text' && content[index - 1]?.type === 'text'
      ? { ...block, text: `\n${block.text}` }
      : block,
  )
}

function nameContent(
  block: ContentBlock,
  loses: (loss: HostLoss) => boolean,
): readonly ContentBlock[] {
  if (block.type === 'resource_link' && loses('links')) {
    const { uri, name, title, description, mimeType } = block
    const facts = [mimeType, description].filter((fact) => fact !== undefined).join(', ')
    const text = `Link: ${title ?? name} <${uri}>${facts === '' ? '' : ` (${facts})`}`
    return [{ type: 'text', text: inOneLine(text) }]
  }
  if (block.type === 'resource' && block.resource.text !== undefined && loses('text-files')) {
    const { uri, mimeType = 'unknown type', text } = block.resource
    return [
      { type: 'text', text: inOneLine(`File: ${uri} (${mimeType})`) },
      { type: 'text', text },
    ]
  }
  if (block.type === 'resource' && block.resource.text === undefined && loses('file-addresses')) {
    const { uri, mimeType = 'unknown type', blob } = block.resource
    const size = formatByteSize(getBase64ByteLength(blob))
    return [{ type: 'text', text: inOneLine(`File: ${uri} (${mimeType}, ${size})`) }, block]
  }
  return [block]
}

/** Maximum characters of a line that names content. */
const MAX_LINE = 2000

/** A server writes these texts, so they get no lines of their own, and no control characters. */
function inOneLine(text: string): string {
  const line = text
    .slice(0, MAX_LINE)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return text.length > MAX_LINE ? `${line}…` : line
}

/** Whether the content says what a model needs: then a semantic value is for a person, and an empty value says nothing. */
function isForPerson(content: readonly ContentBlock[], structuredContent: unknown): boolean {
  if (structuredContent === '' || JSON.stringify(structuredContent) === '{}')
    return content.length > 0
  return (
    findValueForPerson(structuredContent) !== undefined &&
    content.some((block) => getText(block) !== undefined)
  )
}

/** Media in structured content are blocks of their own in most results, and would fill the text. */
function describeStructure(
  content: readonly ContentBlock[],
  structuredContent: unknown,
): readonly ContentBlock[] {
  if (isForPerson(content, structuredContent)) return []
  if (isRepeatedContent(content, structuredContent)) return []
  const replaced = replaceMedia(content, structuredContent, ({ mimeType = 'unknown type', data }) =>
    formatNote(`${mimeType}, ${formatByteSize(getBase64ByteLength(data))}, in the content`),
  )
  const text = typeof replaced === 'string' ? replaced : JSON.stringify(replaced)
  return [{ type: 'text', text }]
}
