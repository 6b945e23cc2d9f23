import { existsSync } from 'node:fs'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '@toolblocks/renderer'
import { userSettingsFile } from '../configuration/user-settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { PROVIDERS } from './providers.ts'

/** An example model of each provider with a key variable. */
const MODELS = [
  { provider: 'anthropic', name: 'claude-sonnet-4-5' },
  { provider: 'openai', name: 'gpt-5' },
  { provider: 'google', name: 'gemini-2.5-pro' },
] as const

/**
 * Describes what to write to configure a model, and in which file. There is one example for each provider whose key is set, or otherwise one
 * example.
 */
export function describeModelExamples(
  file: string,
  { style }: Pick<Terminal, 'style'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): TerminalText {
  const known = MODELS.filter(({ provider }) => environment[PROVIDERS[provider].keyName])
  const models = known.length > 0 ? known : MODELS.slice(0, 1)
  const examples = models.map(({ provider, name }) => {
    const key = PROVIDERS[provider].keyName
    const state = known.length > 0 ? `${key} is set` : `set ${key} to your key`
    return joinTerminal(
      [
        style.plain('[model]'),
        joinTerminal([style.plain(`provider = "${provider}"`), style.dim(`  # ${state}`)]),
        style.plain(`name = "${name}"`),
      ],
      '\n',
    )
  })
  const blank = joinTerminal([])
  const one = models.length > 1 ? 'one of these' : 'this'
  const own = existsSync(file) ? file : `${file} (toolblocks init writes one)`
  return joinTerminal(
    [
      style.plain(`Write ${one} into ${own},`),
      style.plain(`or, for every folder, into ${userSettingsFile()}:`),
      blank,
      ...examples.flatMap((example) => [indentTerminal(example), blank]),
      style.dim('A server with an OpenAI-compatible API, such as Ollama, needs no key:'),
      style.dim(
        'provider = "openai-compatible", base_url = "http://localhost:11434/v1", and its name.',
      ),
      style.dim('provider = "scripted" needs no key and always gives the same answer.'),
    ],
    '\n',
  )
}
