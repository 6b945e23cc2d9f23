import {
  authenticate,
  request,
  guarded,
  hostile,
  listen,
  answer,
  tokens,
  renew,
  provider,
  masked,
  command,
  ASKED,
  EXCHANGED,
  REFRESHED,
  QUERY,
  ONE_WAY,
  OWN_STATE,
  OWN_LOGIN,
  CERTIFICATE,
  NO_IMPLICIT,
  NO_PASSWORD,
  type Rule,
} from './rule.ts'

/** RFC 6749, OAuth 2.0. */
export const OAUTH_2: readonly Rule[] = [
  [
    '2',
    'a registration says the kind of the client, its redirect addresses and what else is required',
    request('a program registers its kind, its redirect address and how it says who it is'),
  ],
  [
    '2.3',
    'each request has one way of client authentication',
    authenticate(
      ONE_WAY,
      'with the methods %j and the registered method %s, the secret is in the %s and nowhere else',
    ),
  ],
  [
    '2.3.1',
    'for HTTP Basic, the ID and the secret are each encoded as in a form',
    authenticate(
      'the ID and the secret of a client are each written as in a form, so that any character arrives',
    ),
  ],
  ['2.3.1', 'the secret is in no address', authenticate(ONE_WAY)],
  ['3.1', 'the query of the authorization endpoint is kept', request(QUERY)],
  ['3.1', 'no parameter of a request occurs twice', request(QUERY, EXCHANGED)],
  [
    '3.1',
    'no parameter of an answer occurs twice',
    answer(
      'an answer with the parameter "%s" twice is refused, also with twice the same value, and its code is sent nowhere',
    ),
  ],
  ['3.1.1', 'the type of the response is named', request(ASKED)],
  ['3.1.2', 'the redirect address is absolute and has no fragment', request(ASKED)],
  [
    '3.1.2.3',
    'the redirect address is in the request if several are registered or none',
    request(ASKED),
  ],
  [
    '3.1.2.5',
    'own scripts of the page run before those of others',
    listen('only this machine can reach the listener, and the page has no script'),
  ],
  ['3.2', 'tokens are requested with POST', request(EXCHANGED, REFRESHED)],
  ['3.2', 'the query of the token endpoint is kept', request(QUERY)],
  [
    '3.2.1',
    'a client with a secret authenticates itself at the token endpoint',
    authenticate(ONE_WAY),
  ],
  [
    '3.2.1',
    'a client that does not authenticate itself sends its ID with a code',
    authenticate('a client without a secret sends its ID in each request for tokens'),
  ],
  [
    '3.3',
    'a scope has only its characters',
    [
      ...request('only words that a scope can have are requested'),
      ...tokens('fields that are not understood are ignored'),
    ],
  ],
  ['4.1.1', 'an authorization request has its required parameters', request(ASKED)],
  ['4.1.2', 'a code is used once', request(EXCHANGED)],
  [
    '4.1.2',
    'unknown parameters of the answer are ignored',
    answer('parameters of the answer that are not understood are ignored'),
  ],
  [
    '4.1.3',
    'a request with a code has its required parameters, with an identical redirect address',
    request(EXCHANGED),
  ],
  ['4.1.3', 'a client with a secret authenticates itself with its code', authenticate(ONE_WAY)],
  ['4.2', 'an implicit request and its answer', NO_IMPLICIT],
  ['4.3', 'the credentials of a person are discarded after use', NO_PASSWORD],
  [
    '4.4',
    'only a confidential client uses its own credentials as a grant',
    provider('a program without a person logs in with its own credentials'),
  ],
  [
    '4.4.2',
    'it authenticates itself',
    provider('a program whose credentials are refused is not connected'),
  ],
  [
    '4.5',
    'an extension grant names its type',
    'no extension grants; those of a provider of MCP’s SDK are its own',
  ],
  [
    '5.1',
    'unknown fields of an answer with tokens are ignored',
    tokens('fields that are not understood are ignored'),
  ],
  [
    '6',
    'a renewal has its required parameters, and no scope that was not granted',
    request(REFRESHED),
  ],
  [
    '6',
    'a client with a secret authenticates itself with its refresh token',
    authenticate(ONE_WAY),
  ],
  [
    '6',
    'a new refresh token replaces the old one',
    [
      ...request(REFRESHED),
      ...renew(
        'a token is renewed before it expires, once for requests at the same time, and the refresh token is replaced',
      ),
    ],
  ],
  [
    '7.1',
    'a token of an unknown type is not used',
    tokens(
      'are refused at a login, which then keeps nothing and shows no token',
      'are refused at a renewal, which leaves the login as it was',
    ),
  ],
  [
    '8',
    'names of extensions have their syntax and are registered',
    'no extensions are defined here',
  ],
  [
    '10.1',
    'the secret of a client is kept confidential',
    command(
      'promise logins: an ID, its secret, a port and scopes from the configuration are used for the login',
    ),
  ],
  [
    '10.3',
    'access tokens are confidential on their way and where they are kept, and shared only with the server that they are for',
    [
      ...renew(
        'a token is not sent to another host',
        'no secret is in an error, even if the authorization server repeats it',
      ),
      ...masked(
        'that repeats the token of a call in %s does not get it into anything that a host sees',
      ),
      ...command('promise logins: a file of logins that others can read is not used'),
    ],
  ],
  [
    '10.3',
    'access tokens are sent only over TLS',
    renew('a token is not sent without https to a server that is not on this machine by its name'),
  ],
  [
    '10.4',
    'refresh tokens are confidential, and shared only with the authorization server',
    [
      ...request(REFRESHED),
      ...command(
        'promise logins: trust, doctor and status show where a login is kept, and no command shows a token',
      ),
    ],
  ],
  [
    '10.4',
    'refresh tokens are sent only over TLS',
    guarded('%s is not requested and not opened: only https, and http on this machine'),
  ],
  [
    '10.5',
    'a redirect address has TLS if the code logs a person in to the client',
    'the code logs nobody in to this program, and the address is on this machine',
  ],
  [
    '10.8',
    'tokens and secrets are not sent in the clear',
    [
      ...renew(
        'a token is not sent without https to a server that is not on this machine by its name',
      ),
      ...guarded('%s is not requested and not opened: only https, and http on this machine'),
    ],
  ],
  ['10.9', 'the certificate of the authorization server is validated', CERTIFICATE],
  [
    '10.12',
    'the redirect address is protected against requests of others',
    [
      ...listen('the answer is the address of the first request with the state of the login'),
      ...hostile(OWN_LOGIN),
    ],
  ],
  ['10.12', 'the value that protects it cannot be guessed', request(ASKED, OWN_STATE)],
  [
    '10.12',
    'the value is kept where only the client and the browser have access',
    listen('only this machine can reach the listener, and the page has no script'),
  ],
  [
    '10.14',
    'received values are validated and sanitized',
    [
      ...hostile('the answer %j is refused'),
      ...tokens('are refused at a login, which then keeps nothing and shows no token'),
    ],
  ],
  ['10.16', 'a person is not logged in by an implicit grant', NO_IMPLICIT],
]

/** RFC 7636, PKCE. */
export const PKCE: readonly Rule[] = [
  [
    '4.1',
    'each request has a verifier of its own, of 43 to 128 unreserved characters',
    request(EXCHANGED, OWN_STATE),
  ],
  [
    '4.2',
    'a client that can use S256 uses it',
    request(EXCHANGED, 'a method of PKCE that shows the verifier is not used'),
  ],
  ['4.3', 'the challenge is in the authorization request', request(ASKED)],
  ['4.5', 'the verifier is sent with the code', request(EXCHANGED)],
  ['7.1', 'the verifier cannot be guessed', request(OWN_STATE)],
  [
    '7.2',
    'after S256 there is no fallback to plain',
    [
      ...request('a method of PKCE that shows the verifier is not used'),
      ...hostile('an authorization server without PKCE is refused'),
    ],
  ],
]
