export { nameTools, serverOfTool } from './tools/name-tools.ts'
