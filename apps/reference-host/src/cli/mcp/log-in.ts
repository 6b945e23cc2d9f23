import { createInterface } from 'node:readline/promises'
import { AuthorizationError } from '@toolblocks/mcp-bridge'
import type { LoginOptions } from '@toolblocks/mcp-bridge/oauth'
import { quoteName } from '@toolblocks/protocol/internal'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { findLogins } from '../../workspace/servers/find-logins.ts'
import { describeLogin } from '../../workspace/servers/describe-login.ts'
import { loadLogin } from './load-servers.ts'

/** The options of `toolblocks mcp login`. */
export interface LogInOptions extends SharedOptions {
  /** `--no-browser`: false. */
  browser?: boolean
  scope?: readonly string[]
  issuer?: string
}

/** Milliseconds in which a person logs in. */
const MAX_MS = 10 * 60 * 1000

/** `toolblocks mcp login NAME`: opens the page at which a person grants access to a server, and keeps the login. */
export async function logIn(
  context: CommandContext,
  name: string,
  options: LogInOptions,
): Promise<number> {
  const { terminal, signal } = context
  const loaded = await loadLogin(context, name, options)
  if (!loaded.ok) return loaded.code
  const { login } = loaded
  const late = AbortSignal.timeout(MAX_MS)
  try {
    const status = await login.logIn({
      openPage: await createOpenPage(context, options.browser ?? true),
      signal: AbortSignal.any([signal, late]),
      ...(options.scope && { scopes: options.scope }),
      ...(options.issuer !== undefined && { issuer: options.issuer }),
    })
    const [foundLogin] = await findLogins([loaded.written], process.env)
    const placeName = foundLogin?.login?.placeName
    if (options.output === 'json') terminal.printJson({ name, ...status, place: placeName })
    else
      terminal.print(
        terminal.sanitize(
          `You are logged in to ${JSON.stringify(name)}: ${describeLogin(status, placeName)}.`,
        ),
      )
    return EXIT.ok
  } catch (error) {
    if (signal.aborted) return EXIT.cancelled
    if (late.aborted) {
      terminal.report('error', `nobody logged in within ${MAX_MS / 60_000} minutes`)
      return EXIT.timeout
    }
    const port = findTakenPort(error)
    if (port !== undefined)
      terminal.report(
        'error',
        `the port ${port} of "redirect_port" is taken, perhaps by another login that still waits for its answer. End that program, or change oauth = { redirect_port = … }`,
      )
    else if (error instanceof AuthorizationError) reportRefusal(context, error)
    else throw error
    return EXIT.failed
  }
}

/** Returns the port that could not be listened at, if that is the error. */
function findTakenPort(error: unknown): number | undefined {
  const isTaken =
    error instanceof Error && 'port' in error && 'code' in error && error.code === 'EADDRINUSE'
  return isTaken ? Number(error.port) : undefined
}

/** Reports why a login failed, with what the server said about it. */
function reportRefusal(
  { terminal }: CommandContext,
  { reason, serverText, fix }: AuthorizationError,
): void {
  const quoted = serverText === undefined ? '' : `; it said ${quoteName(serverText)}`
  terminal.report('error', `${reason}${quoted}. ${fix}`)
}

/** Returns how the page of a login is shown: in the browser, or as an address whose answer a person can also paste. */
async function createOpenPage(
  { terminal, interrupt }: CommandContext,
  hasBrowser: boolean,
): Promise<LoginOptions['openPage']> {
  const { listenForRedirect } = await import('@toolblocks/mcp-bridge/oauth')
  const { keyboard } = terminal
  return async (wanted) => {
    let removeFile: (() => Promise<void>) | undefined
    const page = await listenForRedirect({
      ...wanted,
      show: async (address, over, { server, issuer }) => {
        const originNote =
          address.origin === URL.parse(issuer)?.origin
            ? ''
            : ', which is not the origin of that server'
        terminal.note(
          terminal.sanitize(
            `You log in to the server ${server.origin}${server.pathname}\n  at the authorization server ${issuer}\n  on a page of ${address.origin}${originNote}.`,
          ),
        )
        const where = hasBrowser
          ? 'Log in with your browser'
          : 'Open this address in a browser, on any device'
        terminal.note(terminal.sanitize(`${where}:\n${address.href}`))
        if (hasBrowser) {
          const { openInBrowser } = await import('../../process/open-in-browser.ts')
          removeFile = await openInBrowser(address.href, 'Log in')
          return undefined
        }
        if (!keyboard) return undefined
        terminal.note(
          terminal.sanitize(
            'The browser then opens a page at 127.0.0.1, which another device cannot show. Paste the address of that page, or the code in it.',
          ),
        )
        const lines = createInterface({ ...keyboard, terminal: true })
        lines.on('SIGINT', interrupt)
        try {
          return await lines.question('Address or code: ', { signal: over })
        } catch (error) {
          if (over.aborted) return undefined
          throw error
        } finally {
          lines.close()
        }
      },
    })
    return {
      ...page,
      close: async () => {
        await page.close()
        await removeFile?.()
      },
    }
  }
}
