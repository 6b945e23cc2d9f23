export {
  DEFAULT_TIMEOUT_MS,
  type LocalCommand,
  type LocalToolDefinition,
  LocalToolError,
  MAX_TIMEOUT_MS,
} from './command/local-tool-definition.ts'
export { type LocalToolOptions, createLocalTool } from './create-local-tool.ts'
export {
  type DescribeOptions,
  type ExecutableDescription,
  describeExecutable,
} from './describe-executable.ts'
export { resolveProgram } from './resolve-program.ts'
export { startProgram } from './start-program.ts'
