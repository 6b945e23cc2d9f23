// Inner parts that the packages of the same version share. No API: they may change in any version.
export { isForAppsOnly } from './app-tools.ts'
export { AWAIT_DEFINITION } from './await-tool.ts'
export { describeParameter } from './describe-tools.ts'
export { locateArguments } from './live-schema.ts'
export { type WrapWait } from './permit-call.ts'
export { readTypedArguments } from './prepare-call.ts'
export { CALL_TOOL, SEARCH_TOOLS } from './search-tools.ts'
