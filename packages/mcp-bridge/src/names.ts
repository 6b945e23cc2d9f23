export { expandVariables, findVariables } from './read-servers.ts'
export { nameTools, getServerPart } from './client/name-tools.ts'
