export { expandVariables, findVariables } from './client/expand-variables.ts'
export { nameTools, serverOfTool } from './tools/name-tools.ts'
