import { type ModelAddress, PROVIDERS, readModelAddress, explainUnsafe } from './providers.ts'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  type Model,
  ModelError,
  type ModelWithProfile,
  createScriptedModel,
} from '@toolblocks/agent'
import type { FormatOptions } from '@toolblocks/formatter'
import type { ModelConfiguration } from '../configuration/table-schemas.ts'
import { fetchBounded } from './fetch-bounded.ts'

/** A model that is ready, or what to set to get one. */
type OpenedModel =
  /** `profile`: the media that it accepts. Absent if no provider is used. */
  | ({ ok: true } & ModelWithProfile)
  /** `isMissing`: no model is configured. `key`: the key of `[model]` that is missing or wrong. */
  | { ok: false; message: string; isMissing?: true; key?: 'provider' | 'name' | 'base_url' }

/** Opens the model that a configuration names, and loads the client of its provider. */
export async function openModel(
  configuration: ModelConfiguration | undefined,
  {
    environment,
    format,
  }: { environment: Readonly<Record<string, string | undefined>>; format: FormatOptions },
): Promise<OpenedModel> {
  if (!configuration) return NO_MODEL
  const { provider, name = '' } = configuration
  if (provider === undefined) return { ok: false, message: NO_PROVIDER, key: 'provider' }
  if (provider === 'scripted')
    return { ok: true, model: (...asked) => createScriptedModel(SCRIPT)(...asked) }
  if (name === '')
    return {
      ok: false,
      message: '[model] needs the name of a model of the provider',
      key: 'name',
    }
  const address = readModelAddress(configuration, environment)
  if (!address)
    return { ok: false, message: `[model] needs a base_url for ${provider}`, key: 'base_url' }
  const { url: baseURL, keyName } = address
  if (!URL.canParse(baseURL))
    return {
      ok: false,
      message: `expected an address such as "http://localhost:11434/v1", got ${JSON.stringify(baseURL)}`,
      key: 'base_url',
    }
  const apiKey = keyName === undefined ? undefined : environment[keyName]
  if (keyName !== undefined && !apiKey)
    return { ok: false, message: `set ${keyName} to a key of ${provider}; ${WITHOUT_KEY}` }
  const unsafe = apiKey ? explainUnsafe(baseURL) : undefined
  if (unsafe !== undefined) return { ok: false, message: `[model]: ${unsafe}` }
  const { createAiSdkModel } = await import('@toolblocks/ai-sdk/model')
  const settings = { baseURL, fetch: fetchWithin(baseURL), ...(apiKey && { apiKey }) }
  const { aiSdkProfile } = await import('@toolblocks/ai-sdk/internal')
  const loaded = await load(provider, name, settings)
  const model = createAiSdkModel(loaded, format)
  const profile = aiSdkProfile(loaded)
  return { ok: true, model: explaining(model, address, configuration), profile, modelName: name }
}

/** The HTTP statuses for a key that the provider does not accept. */
const REJECTED_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403])

/** Adds to the error for a rejected key which variable it came from, and to the one without a response where the address came from. */
function explaining(model: Model, address: ModelAddress, configuration: ModelConfiguration): Model {
  return async function* answer(request, signal) {
    try {
      yield* model(request, signal)
    } catch (error) {
      const more = error instanceof ModelError && explain(error, address, configuration)
      if (!more) throw error
      const { message, code, cause, status, retryAfterMs } = error
      throw new ModelError(code, `${message}; ${more}`, { cause, status, retryAfterMs })
    }
  }
}

function explain(
  { code, status }: ModelError,
  { url, urlName, keyName }: ModelAddress,
  { provider, base_url: written }: ModelConfiguration,
): string | undefined {
  if (keyName !== undefined && REJECTED_STATUSES.has(status))
    return `the key came from ${keyName}; set api_key_env under [model] to use another variable`
  if (code !== 'unavailable' || status !== undefined) return undefined
  // The rest of an address may contain a secret.
  const { origin } = new URL(url)
  if (written !== undefined)
    return `the address ${origin} is base_url under [model]: correct it, or start the server that should answer there`
  return urlName === undefined
    ? `${origin} is the address of ${provider}: is this machine connected? base_url under [model] names another address`
    : `the address ${origin} came from ${urlName}: correct it, or start the server that should answer there`
}

async function load(
  provider: Exclude<NonNullable<ModelConfiguration['provider']>, 'scripted'>,
  name: string,
  settings: { baseURL: string; fetch: Fetch; apiKey?: string },
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
      return createOpenAICompatible({ name: 'compatible', includeUsage: true, ...settings })(name)
    }
  }
}

/** Sends a request of a provider's client. */
type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Creates a `fetch` that stays at one origin. A redirect to another origin would send the key along in a header that `fetch` does not know. */
function fetchWithin(baseURL: string): Fetch {
  const { origin } = new URL(baseURL)
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin)
      throw new Error(`refused to send a request for ${origin} to ${url.origin}`)
    return await fetchBounded(input, init)
  }
}

const WITHOUT_KEY = 'provider = "scripted" needs no key'

const NO_PROVIDER = `[model] needs a provider: one of ${Object.keys(PROVIDERS).join(', ')}`

const NO_MODEL = { ok: false, message: 'no [model] is configured', isMissing: true } as const

/** The text of the scripted model, which says that it is a script. */
const SCRIPT = [
  {
    text: 'I am a script and always give this answer. Name a provider under [model] to talk to a model.',
    calls: [],
  },
]
