export { codeFence } from './markdown/code-fence.ts'
export { formatBlocks } from './format-blocks.ts'
export type { FormatOptions, StructuredPolicy } from './format-options.ts'
export { formatResult } from './format-result.ts'
