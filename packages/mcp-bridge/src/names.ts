export { expandVariables, findVariables } from './read-servers.ts'
export { nameTools, getServerPart } from './tools/name-tools.ts'
