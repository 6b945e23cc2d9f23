import { joinTerminal } from '@toolblocks/renderer'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { findLogins, type FoundLogin } from '../../workspace/servers/find-logins.ts'
import { describeLogin } from '../../workspace/servers/describe-login.ts'
import { loadServers } from './load-servers.ts'

/** `toolblocks mcp status`: lists the servers at which a person can log in, and who is logged in where. Reaches no server. */
export async function listLogins(context: CommandContext, options: SharedOptions): Promise<number> {
  const { terminal } = context
  const loaded = await loadServers(context, options)
  if (!loaded.ok) return loaded.code
  const logins = await findLogins(loaded.servers, process.env)
  if (options.output === 'json') terminal.printJson(logins.map(toJson))
  else if (logins.length === 0)
    terminal.note(
      terminal.sanitize(
        'There is no server at which you can log in: none has a "url" without credentials in "headers".',
      ),
    )
  else
    terminal.print(
      joinTerminal(
        logins.map((each) =>
          joinTerminal([
            terminal.style.bold(each.name),
            terminal.sanitize(`: ${describeFound(each)}`),
          ]),
        ),
        '\n',
      ),
    )
  return logins.some(({ unread }) => unread) ? EXIT.failed : EXIT.ok
}

function describeFound({ login, unread }: FoundLogin): string {
  if (unread) return `${unread.reason}. ${unread.fix}`
  return login ? `logged in ${describeLogin(login.status, login.placeName)}` : 'not logged in'
}

function toJson({ name, url, login, unread }: FoundLogin): unknown {
  return {
    name,
    url,
    ...(login && { ...login.status, place: login.placeName }),
    ...(unread && { problem: unread.reason, fix: unread.fix }),
  }
}
