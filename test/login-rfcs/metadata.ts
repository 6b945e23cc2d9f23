import {
  guarded,
  hostile,
  pinned,
  answer,
  login,
  CERTIFICATE,
  WELL_KNOWN,
  OTHER_ISSUER,
  OTHER_RESOURCE,
  UNKNOWN_METADATA,
  NO_JWT,
  type Rule,
} from './rule.ts'

/** RFC 8414, metadata of an authorization server. */
export const SERVER_METADATA: readonly Rule[] = [
  ['2', 'an application knows the fields that it uses; it may ignore others', UNKNOWN_METADATA],
  ['2.1', 'signed metadata takes precedence if it is supported', NO_JWT],
  ['3', 'a client says which well-known address it uses', WELL_KNOWN],
  ['3.1', 'metadata is requested with GET', WELL_KNOWN],
  [
    '3.1',
    'a slash at the end of the issuer is removed before the well-known part is inserted',
    pinned(
      'an issuer is the same if only the address in the metadata of the server ends with a slash',
    ),
  ],
  [
    '3.3',
    'the issuer is the one for which the metadata was requested; other metadata is not used',
    [
      ...OTHER_ISSUER,
      ...pinned('metadata with another issuer is refused also if the server itself names both'),
    ],
  ],
  [
    '4',
    'texts are compared character by character, without normalization',
    answer('an issuer is compared character by character'),
  ],
  [
    '6.1',
    'TLS is supported',
    guarded('%s is not requested and not opened: only https, and http on this machine'),
  ],
  ['6.1', 'the certificate is checked', CERTIFICATE],
  ['6.2', 'nobody publishes metadata of another issuer', OTHER_ISSUER],
]

/** RFC 9728, metadata of a protected resource. */
export const RESOURCE_METADATA: readonly Rule[] = [
  ['2.1', 'a text without a language is shown as it is', 'no texts of this metadata are shown'],
  ['2.2', 'signed metadata takes precedence if it is supported', NO_JWT],
  ['3', 'an application says which well-known address it uses', WELL_KNOWN],
  [
    '3.1',
    'metadata is requested with GET at the well-known address between host and path',
    WELL_KNOWN,
  ],
  ['3.2', 'unknown parameters are ignored', UNKNOWN_METADATA],
  [
    '3.3',
    'the resource is the one for which the metadata was requested; other metadata is not used',
    OTHER_RESOURCE,
  ],
  [
    '3.3',
    'with an address from a refusal, the resource is the address of the request',
    [...OTHER_RESOURCE, ...hostile('metadata about another resource is refused')],
  ],
  ['3.3', 'signed metadata is validated', NO_JWT],
  [
    '5',
    'the address in a refusal is used',
    [
      ...login('after a login, a server of MCP %s is connected and called with the token'),
      ...hostile(
        'CVE-2026-8768: metadata named in a refusal at an address inside the network is not requested',
      ),
    ],
  ],
  ['6', 'texts are compared character by character, without normalization', OTHER_RESOURCE],
  [
    '7.1',
    'TLS is supported',
    guarded('%s is not requested and not opened: only https, and http on this machine'),
  ],
  ['7.3', 'the certificate is checked', CERTIFICATE],
  ['7.3', 'nobody publishes metadata of another resource', OTHER_RESOURCE],
]
