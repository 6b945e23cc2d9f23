export { findBlocksWithJson } from './content/find-blocks-with-json.ts'
export {
  isAnnotations,
  isAudience,
  isOmittedResourceLink,
  isPriority,
  isQuotedText,
  createQuotingBlocks,
} from './content/content-block.ts'
