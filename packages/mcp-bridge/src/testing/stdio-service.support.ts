// Serves one tool over stdio. Started by a test: node stdio-service.support.ts
import { createSuccessResult } from '@toolblocks/protocol'
import { serveStdio } from '../serve-stdio.ts'

const served = await serveStdio({
  name: 'stdio',
  version: '1',
  instructions: 'Use it well.',
  root: process.cwd(),
  definitions: () => [{ name: 'echo', inputSchema: { type: 'object' } }],
  callTool: async ({ arguments: values }) =>
    createSuccessResult([{ type: 'text', text: JSON.stringify(values) }]),
})
await served.closed
