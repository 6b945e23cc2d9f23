import type { ModelProfile } from '@toolblocks/formatter'
import type { ModelConfiguration } from '../configuration/table-schemas.ts'

/** The address for the requests to a model, and the variable with the key that is sent. */
export interface ModelAddress {
  /** The base URL of the provider's API. */
  url: string
  /** The variable that the address came from. Absent: it is configured, or that of the provider. */
  urlName?: string
  /** Absent: no key is sent. */
  keyName?: string
}

interface Provider {
  /** The default address. Absent: it must be configured. */
  url?: string
  /** The variable that overrides the address. */
  urlName?: string
  /** The default variable with the key. Absent: no key is needed. */
  keyName?: string
  /** The name of its client, by which the accepted media are looked up. */
  client: string
}

/** The providers that a `[model]` table may name. `undefined` for one without requests. */
export const PROVIDERS = {
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    urlName: 'ANTHROPIC_BASE_URL',
    keyName: 'ANTHROPIC_API_KEY',
    client: 'anthropic.messages',
  },
  openai: {
    url: 'https://api.openai.com/v1',
    urlName: 'OPENAI_BASE_URL',
    keyName: 'OPENAI_API_KEY',
    client: 'openai.responses',
  },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyName: 'GEMINI_API_KEY',
    client: 'google.generative-ai',
  },
  'openai-compatible': { client: 'compatible.chat' },
  scripted: undefined,
} as const satisfies Record<NonNullable<ModelConfiguration['provider']>, Provider | undefined>

function findProvider({ provider }: ModelConfiguration): Provider | undefined {
  return provider && PROVIDERS[provider]
}

/** Returns the address of a `[model]` table's requests. `undefined` if it sends no requests or names no provider. */
export function readModelAddress(
  model: ModelConfiguration,
  environment: Readonly<Record<string, string | undefined>>,
): ModelAddress | undefined {
  const provider = findProvider(model)
  if (!provider) return undefined
  const { urlName } = provider
  const replaced = urlName === undefined ? undefined : environment[urlName]
  const url = model.base_url ?? (replaced || provider.url)
  const keyName = model.api_key_env ?? provider.keyName
  if (url === undefined) return undefined
  const isReplaced = urlName !== undefined && model.base_url === undefined && Boolean(replaced)
  return {
    url,
    ...(isReplaced && { urlName }),
    ...(keyName !== undefined && { keyName }),
  }
}

/** Returns the media that the configured model accepts, without a request to its provider; `undefined` without a model or for a script. */
export async function readProfile(
  model: ModelConfiguration | undefined,
): Promise<ModelProfile | undefined> {
  const provider = model && findProvider(model)
  if (!provider) return undefined
  const { aiSdkProfile } = await import('@toolblocks/ai-sdk/internal')
  return aiSdkProfile({ provider: provider.client, modelId: model.name ?? '' })
}

/** Returns why a key may not be sent to an address: others on the network could read it. `undefined` if it may be sent. */
export function explainUnsafe(url: string): string | undefined {
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol === 'https:') return undefined
  if (protocol === 'http:' && isLoopback(hostname ?? '')) return undefined
  return `a key is sent over https only, or over http to this machine; got ${JSON.stringify(url)}`
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
