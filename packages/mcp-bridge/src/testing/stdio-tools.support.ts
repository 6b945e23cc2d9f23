// Serves one tool, a program, over stdio, and keeps running after the service has ended. Started by a test: node stdio-tools.support.ts ROOT COMMAND
import { createLocalTool } from '@toolblocks/local-executor'
import { serveStdio } from '../serve-stdio.ts'

const [root = '', program = ''] = process.argv.slice(2)
const command = { program, shell: true } as const
const tool = createLocalTool({ name: 'tool', inputSchema: { type: 'object' }, command })
await serveStdio({
  name: 'stdio',
  version: '1',
  root,
  definitions: () => [tool],
  callTool: async (call, { signal }) => await tool.execute(call, { signal, root, answers: {} }),
})
setInterval(() => {}, 1000)
