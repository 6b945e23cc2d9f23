import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { FormatOptions } from '@toolblocks/formatter'
import type { ModelConfiguration } from '../configuration/configuration.ts'
import type { Model } from './model.ts'
import { createScriptedModel } from './scripted-model.ts'

/** A model that can be asked, or what to set so that one can. */
export type OpenedModel = { ok: true; model: Model } | { ok: false; message: string }

/** Where a provider's key is looked for, unless the configuration names a variable. */
const KEYS = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
} as const

/** Opens the model that a configuration names; what speaks to its provider is loaded now. */
export async function openModel(
  configuration: ModelConfiguration | undefined,
  {
    environment,
    format,
  }: { environment: Readonly<Record<string, string | undefined>>; format: FormatOptions },
): Promise<OpenedModel> {
  if (!configuration) return { ok: false, message: NO_MODEL }
  const { provider, name = '', base_url: baseURL, api_key_env: variable } = configuration
  if (provider === undefined) return { ok: false, message: NO_MODEL }
  if (provider === 'scripted')
    return { ok: true, model: (...asked) => createScriptedModel(SCRIPT)(...asked) }
  if (name === '') return { ok: false, message: '[model] needs a name, such as the provider lists' }
  const keyName = variable ?? (provider === 'openai-compatible' ? undefined : KEYS[provider])
  const apiKey = keyName === undefined ? undefined : environment[keyName]
  if (keyName !== undefined && !apiKey)
    return { ok: false, message: `set ${keyName} to a key of ${provider}; ${WITHOUT_KEY}` }
  if (provider === 'openai-compatible' && baseURL === undefined)
    return { ok: false, message: `[model] needs a base_url for ${provider}` }
  const { createAiSdkModel } = await import('./ai-sdk/create-ai-sdk-model.ts')
  const settings = { ...(apiKey && { apiKey }), ...(baseURL !== undefined && { baseURL }) }
  return {
    ok: true,
    model: createAiSdkModel(await load(provider, name, settings), format),
  }
}

async function load(
  provider: Exclude<NonNullable<ModelConfiguration['provider']>, 'scripted'>,
  name: string,
  settings: { apiKey?: string; baseURL?: string },
): Promise<LanguageModelV4> {
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings)(name)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(settings)(name)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(settings)(name)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { baseURL = '', apiKey } = settings
      return createOpenAICompatible({ name: 'compatible', baseURL, ...(apiKey && { apiKey }) })(
        name,
      )
    }
  }
}

const WITHOUT_KEY = 'provider = "scripted" works without one'

const NO_MODEL = `no [model] is configured; for example:

[model]
provider = "anthropic"   # or "openai", "google", "openai-compatible" (Ollama, vLLM), "scripted"
name = "claude-sonnet-4-5"

${WITHOUT_KEY}`

/** What the scripted model says: that it is one. */
const SCRIPT = [
  {
    text: 'I am a script, and say only this. Name a provider under [model] to talk to a model.',
    calls: [],
  },
]
