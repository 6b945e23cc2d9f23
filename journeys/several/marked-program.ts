// The marked server as a program over standard streams. Started by tests: node marked-program.ts
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMarkedServer } from './marked-server.ts'

await createMarkedServer().connect(new StdioServerTransport())
