import type { HttpFetch, ServerConfig } from '@toolblocks/mcp-bridge'
import { nameTools } from '@toolblocks/mcp-bridge/internal/names'
import {
  type ToolContext,
  createSuccessResult,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import type { ResolvedTool } from '../tools/resolve-tools.ts'
import type { WrittenServer } from './written-servers.ts'

/** The logins of one client of a service at servers with `login = "each"`. */
export interface PersonLogins {
  /** Returns the login at a server. `undefined`: it is not known who the client is. */
  at(written: WrittenServer, config: ServerConfig): PersonLogin | undefined
}

/** The login of one person at one server. */
export interface PersonLogin {
  /** Sends requests with the tokens of the person. Throws an `AuthorizationError` without a usable login. */
  readonly fetch: HttpFetch
  /** Whether there is a login that may be used. */
  isThere(): Promise<boolean>
  /** Settles when there is one, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
  /** Asks the person of a call to log in. Returns why that was in vain; `undefined`: there is a login now. */
  ask(call: ToolCall, context: ToolContext): Promise<ToolResult | undefined>
}

/** For connections that are nobody's. */
export const LOGINS_OF_NOBODY: PersonLogins = { at: () => undefined }

/** Returns a tool whose calls ask the person to log in where that is missing, and then run. */
export function askingForLogin<Asked extends Tool>(tool: Asked, login: PersonLogin): Asked {
  return {
    ...tool,
    execute: async (call, context) => {
      const refused = await login.ask(call, context)
      if (refused) return refused
      const result = await tool.execute(call, context)
      // The server has refused the tokens meanwhile: nothing was executed.
      if (!result.isError || (await login.isThere())) return result
      return (await login.ask(call, context)) ?? (await tool.execute(call, context))
    },
  }
}

/** Makes the only tool of a server at which a person is not logged in: its call asks her to. */
export function makeLoginEntry({ name, own }: WrittenServer, login: PersonLogin): ResolvedTool {
  const [named = `${name}__log_in`] = nameTools(name, ['log_in']).values()
  const described = {
    name: named,
    title: `Log in at ${name}`,
    description: `The user is not logged in at ${quoteName(name)}. This call asks the user to log in; the tools of ${quoteName(name)} are offered afterwards.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: true },
  } as const
  return {
    tool: {
      ...described,
      execute: async (call, context) =>
        (await login.ask(call, context)) ??
        createSuccessResult([
          {
            type: 'text',
            text: `The user is logged in at ${quoteName(name)}. Its tools are offered now.`,
          },
        ]),
    },
    source: `mcp.${name}.log_in`,
    server: name,
    policy: 'unattended',
    origins: {},
    described,
    isPinned: false,
    ...(own.defer === false && { defer: false }),
  }
}
