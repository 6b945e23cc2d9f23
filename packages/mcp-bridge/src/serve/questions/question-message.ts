import type { ContentBlock, InputRequest, QuestionContext } from '@toolblocks/protocol'

/** All that an elicitation can show is one text: the blocks and the question in their order, then why the last answer was not taken. */
export function toMessage(
  { text }: InputRequest,
  { blocks, shown = 0, after = [], problems = [] }: QuestionContext,
): string {
  const before = blocks.slice(shown).map(textOfBlock)
  const behind = after.map(textOfBlock)
  const wrong = problems.map(({ path, message }) => `${path === '' ? '' : `${path}: `}${message}`)
  return [...before, text, ...behind, ...wrong].filter((part) => part !== '').join('\n\n')
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}]`
    case 'resource_link':
      return `${block.name}: ${block.uri}`
    case 'resource': {
      const { uri, text } = block.resource
      return text === undefined ? `[${uri}]` : `${uri}\n${text}`
    }
    case 'question':
      return block.question.text
  }
}
