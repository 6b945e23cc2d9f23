import type { ModelProfile } from '@toolblocks/formatter'
import type { ModelConfiguration } from '../configuration/configuration.ts'

/** Where the requests for a model go, and which variable holds the key that goes with them. */
export interface ModelAddress {
  /** The base URL of the provider's API. */
  url: string
  /** Absent: no key is sent. */
  keyName?: string
}

interface Provider {
  /** Its own address. Absent: it has to be configured. */
  url?: string
  /** The variable that replaces the address. */
  urlName?: string
  /** The variable that holds the key, unless something else is configured. Absent: it needs none. */
  keyName?: string
  /** How its client calls itself: by this it is known what its models take. */
  client: string
}

/** Whom a `[model]` table may name; `undefined` asks nobody. */
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

/** Reads where a `[model]` table sends what. `undefined`: it asks nobody, or does not say whom. */
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
  return url === undefined ? undefined : { url, ...(keyName !== undefined && { keyName }) }
}

/** What the configured model takes, without asking its provider; `undefined` where nothing is configured or a script answers. */
export async function readProfile(
  model: ModelConfiguration | undefined,
): Promise<ModelProfile | undefined> {
  const provider = model && findProvider(model)
  if (!provider) return undefined
  const { aiSdkProfile } = await import('@toolblocks/formatter/ai-sdk')
  return aiSdkProfile({ provider: provider.client, modelId: model.name ?? '' })
}

/** Why a key may not be sent to an address: whoever is on the way could read it. `undefined`: it may. */
export function explainUnsafe(url: string): string | undefined {
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol === 'https:') return undefined
  if (protocol === 'http:' && isLoopback(hostname ?? '')) return undefined
  return `a key is sent over https only, or over http to this machine; got ${JSON.stringify(url)}`
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
