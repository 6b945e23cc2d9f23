export { expandVariables, findVariables } from './expand-variables.ts'
export { nameTools, serverOfTool } from './tools/name-tools.ts'
