export { findBlocksWithJson } from './content/find-blocks-with-json.ts'
export { isRepeatedContent, type RepeatedMedia, replaceMedia } from './content/repeated-content.ts'
export {
  isAnnotations,
  isAudience,
  isOmittedResourceLink,
  isPriority,
  isQuotedText,
  createQuotingBlocks,
} from './content/content-block.ts'
