import { existsSync } from 'node:fs'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '@toolblocks/renderer'
import { userSettingsFile } from '../configuration/user-settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { PROVIDERS } from './providers.ts'

/** A model of each provider that has a key of its own. */
const MODELS = [
  { provider: 'anthropic', name: 'claude-sonnet-4-5' },
  { provider: 'openai', name: 'gpt-5' },
  { provider: 'google', name: 'gemini-2.5-pro' },
] as const

/** Shows what to write so that a model is asked, and where: an example for each provider whose key is set, or else for one. */
export function describeModelExamples(
  file: string,
  { style }: Pick<Terminal, 'style'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): TerminalText {
  const known = MODELS.filter(({ provider }) => environment[PROVIDERS[provider].keyName])
  const shown = known.length > 0 ? known : MODELS.slice(0, 1)
  const examples = shown.map(({ provider, name }) => {
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
  const one = shown.length > 1 ? 'one of these' : 'this'
  const own = existsSync(file) ? file : `${file} (toolblocks init writes one)`
  return joinTerminal(
    [
      style.plain(`Write ${one} into ${own},`),
      style.plain(`or, for every folder, into ${userSettingsFile()}:`),
      blank,
      ...examples.flatMap((example) => [indentTerminal(example), blank]),
      style.dim('A server that speaks as OpenAI does, such as Ollama, needs no key:'),
      style.dim(
        'provider = "openai-compatible", base_url = "http://localhost:11434/v1", and its name.',
      ),
      style.dim('provider = "scripted" works without one, and says little.'),
    ],
    '\n',
  )
}
