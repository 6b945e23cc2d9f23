import { AuthorizationError } from '@toolblocks/mcp-bridge'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { loadLogin } from './load-servers.ts'

/**
 * `toolblocks mcp logout NAME`: removes the login at a server, and revokes its tokens where the authorization server offers it. If another process
 * renews the login, it is not removed before that has ended: that process writes the renewed tokens when it continues, and the login would be back.
 */
export async function logOut(
  context: CommandContext,
  name: string,
  options: SharedOptions,
): Promise<number> {
  const { terminal, signal } = context
  const loaded = await loadLogin(context, name, options)
  if (!loaded.ok) return loaded.code
  const { login, findHolder } = loaded
  const explain = (): void => {
    const holder = findHolder()
    const what =
      holder === undefined
        ? 'for an answer of the authorization server'
        : `for ${holder}, which renews this login`
    terminal.note(terminal.sanitize(`Still waiting ${what}. Ctrl-C ends the wait.`))
  }
  const waiting = setTimeout(explain, NOTE_MS)
  try {
    const outcome = await login.logOut({ signal })
    if (options.output === 'json') terminal.printJson({ name, outcome })
    else terminal.print(terminal.sanitize(describeOutcome(outcome, JSON.stringify(name))))
    return EXIT.ok
  } catch (error) {
    if (signal.aborted) return EXIT.cancelled
    if (!(error instanceof AuthorizationError)) throw error
    terminal.report('error', `${error.reason}. ${error.fix}`)
    return EXIT.failed
  } finally {
    clearTimeout(waiting)
  }
}

/** Milliseconds after which a wait is explained. */
const NOTE_MS = 1000

function describeOutcome(outcome: 'not-logged-in' | 'removed' | 'revoked', name: string): string {
  switch (outcome) {
    case 'not-logged-in':
      return `You were not logged in to ${name}.`
    case 'removed':
      return `You are logged out of ${name}. The authorization server has not confirmed that it revoked the tokens.`
    case 'revoked':
      return `You are logged out of ${name}, and the authorization server has revoked the tokens.`
  }
}
