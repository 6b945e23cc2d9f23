import type { ModelConfiguration } from '../configuration/configuration.ts'

/** Where the requests for a model go, and which variable holds the key that goes with them. */
export interface ModelAddress {
  /** The base URL of the provider's API. */
  url: string
  /** Absent: no key is sent. */
  keyName?: string
}

/** The own address of each provider, the variable that replaces it, and the variable with its key. */
const PROVIDERS = {
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    urlName: 'ANTHROPIC_BASE_URL',
    keyName: 'ANTHROPIC_API_KEY',
  },
  openai: {
    url: 'https://api.openai.com/v1',
    urlName: 'OPENAI_BASE_URL',
    keyName: 'OPENAI_API_KEY',
  },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    urlName: undefined,
    keyName: 'GEMINI_API_KEY',
  },
} as const

/** The variable that holds the key of each provider, unless something else is configured. */
export const KEY_NAMES = {
  anthropic: PROVIDERS.anthropic.keyName,
  openai: PROVIDERS.openai.keyName,
  google: PROVIDERS.google.keyName,
} as const

/** Reads where a `[model]` table sends what. `undefined`: it asks nobody, or does not say whom. */
export function readModelAddress(
  { provider, base_url: given, api_key_env: keyName }: ModelConfiguration,
  environment: Readonly<Record<string, string | undefined>>,
): ModelAddress | undefined {
  if (provider === undefined) return undefined
  switch (provider) {
    case 'scripted':
      return undefined
    case 'openai-compatible':
      return given === undefined
        ? undefined
        : { url: given, ...(keyName !== undefined && { keyName }) }
    case 'anthropic':
    case 'openai':
    case 'google': {
      const own = PROVIDERS[provider]
      const replaced = own.urlName === undefined ? undefined : environment[own.urlName]
      return { url: given ?? (replaced || own.url), keyName: keyName ?? own.keyName }
    }
  }
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
