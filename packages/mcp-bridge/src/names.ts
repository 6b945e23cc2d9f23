export { expandVariables, findVariables } from './read-servers.ts'
export { nameTools, serverOfTool } from './tools/name-tools.ts'
