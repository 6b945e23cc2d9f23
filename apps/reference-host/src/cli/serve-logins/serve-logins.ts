import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { withConversations } from '../../workspace/conversations/with-conversations.ts'
import { listStoredLogins, removeStoredLogin } from '../serve/logins/stored-logins.ts'

/** `toolblocks serve logins list`: lists who has a login at which server, without tokens. The key is not needed. */
export async function listLogins(context: CommandContext, options: SharedOptions): Promise<number> {
  const { terminal } = context
  return await withConversations(context, options, async ({ store, name: storeName }) => {
    const logins = await listStoredLogins(store.documents)
    if (options.output === 'json') {
      terminal.printJson({ logins })
      return EXIT.ok
    }
    const { style } = terminal
    if (logins.length === 0) terminal.print(style.plain(`No logins in ${storeName}.`))
    for (const { id, isDamaged, name, server, since } of logins) {
      if (isDamaged) {
        const fact = style.yellow('damaged: it counts as none, and "remove" removes it')
        terminal.print(joinTerminal([style.cyan(id), fact], '  '))
        continue
      }
      const facts = `logged in ${since.slice(0, 10)}`
      const parts = [style.cyan(id), style.bold(name), style.plain(server), style.dim(facts)]
      terminal.print(joinTerminal(parts, '  '))
    }
    return EXIT.ok
  })
}

/** `toolblocks serve logins remove ID …`: removes logins. The authorization servers are not told: the person logs out on the page of the service for that. */
export async function removeLogins(
  context: CommandContext,
  ids: readonly string[],
  options: SharedOptions,
): Promise<number> {
  const { terminal, command } = context
  return await withConversations(context, options, async ({ store }) => {
    let code: number = EXIT.ok
    for (const id of ids) {
      const removed = await removeStoredLogin(store.documents, id)
      if (removed) {
        // The names of a damaged login cannot be read.
        const { name, server } = removed
        const whose = name === '' ? '' : ` of ${name} at ${server}`
        const line = `Removed the login ${id}${whose}. Services use it no more from the next request on; the authorization server was not informed.`
        terminal.print(sanitizeTerminalLine(line, { maxLength: Infinity }))
        continue
      }
      const how = `"${command} serve logins list" lists them`
      terminal.report('error', `no login "${id}"; ${how}`)
      code = EXIT.usage
    }
    return code
  })
}
