/**
 * An error from Firebase Authentication. `message` is the text that the Firebase SDK shows with `debugErrorMap`, so
 * that pages are the same whether the browser or the server made the request. It is empty when `code` is empty.
 *
 * @see https://github.com/firebase/firebase-js-sdk/blob/main/packages/auth/src/core/errors.ts
 */
export class AuthError extends Error {
  override name = "AuthError";

  /** The SDK's code without its `auth/` prefix, such as `wrong-password`. */
  readonly code: string;

  /** The provider's own code. Several of these map to one code of the SDK. */
  readonly wireCode: string | undefined;

  constructor(code: string, text: string | undefined, wireCode?: string) {
    super(code && `Firebase: ${text ?? MESSAGES[code] ?? "Error"} (auth/${code}).`);
    this.code = code;
    this.wireCode = wireCode;
  }
}

/**
 * Parses an error message of Identity Toolkit or the token service: a code, optionally followed by ` : ` and a text.
 *
 * @param message the `error.message` of the response, or `undefined` when there was no readable response
 */
export function toAuthError(message: string | undefined): AuthError {
  if (message === undefined) return new AuthError("network-request-failed", undefined);

  const [wireCode = "", text] = message.split(" : ");
  const code = CODES[wireCode] ?? wireCode.toLowerCase().replaceAll(/[_\s]+/g, "-");
  return new AuthError(code, TEXTLESS_CODES.has(wireCode) ? undefined : text, wireCode);
}

/** The SDK replaces the texts of these. */
const TEXTLESS_CODES = new Set([
  "EMAIL_EXISTS",
  "FEDERATED_USER_ID_ALREADY_LINKED",
  "USER_DISABLED",
]);

const CODES: Record<string, string> = {
  ADMIN_ONLY_OPERATION: "admin-restricted-operation",
  BLOCKING_FUNCTION_ERROR_RESPONSE: "internal-error",
  CREDENTIAL_MISMATCH: "custom-token-mismatch",
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: "requires-recent-login",
  EMAIL_EXISTS: "email-already-in-use",
  EMAIL_NOT_FOUND: "user-not-found",
  EXPIRED_OOB_CODE: "expired-action-code",
  FEDERATED_USER_ID_ALREADY_LINKED: "credential-already-in-use",
  INVALID_IDENTIFIER: "invalid-email",
  INVALID_IDP_RESPONSE: "invalid-credential",
  INVALID_ID_TOKEN: "invalid-user-token",
  INVALID_LOGIN_CREDENTIALS: "invalid-credential",
  INVALID_OOB_CODE: "invalid-action-code",
  INVALID_PASSWORD: "wrong-password",
  INVALID_PENDING_TOKEN: "invalid-credential",
  MISSING_CONTINUE_URI: "internal-error",
  MISSING_CUSTOM_TOKEN: "internal-error",
  MISSING_OOB_CODE: "internal-error",
  MISSING_REQ_TYPE: "internal-error",
  PASSWORD_LOGIN_DISABLED: "operation-not-allowed",
  RESET_PASSWORD_EXCEED_LIMIT: "too-many-requests",
  TOKEN_EXPIRED: "user-token-expired",
  TOO_MANY_ATTEMPTS_TRY_LATER: "too-many-requests",
  UNAUTHORIZED_DOMAIN: "unauthorized-continue-uri",
  USER_NOT_FOUND: "user-token-expired",
};

const MESSAGES: Record<string, string> = {
  "account-exists-with-different-credential":
    "An account already exists with the same email address but different sign-in credentials. Sign in using a provider associated with this email address.",
  "admin-restricted-operation": "This operation is restricted to administrators only.",
  "captcha-check-failed":
    "The reCAPTCHA response token provided is either invalid, expired, already used or the domain associated with it does not match the list of whitelisted domains.",
  "credential-already-in-use":
    "This credential is already associated with a different user account.",
  "custom-token-mismatch": "The custom token corresponds to a different audience.",
  "email-already-in-use": "The email address is already in use by another account.",
  "expired-action-code": "The action code has expired.",
  "internal-error": "An internal AuthError has occurred.",
  "invalid-action-code":
    "The action code is invalid. This can happen if the code is malformed, expired, or has already been used.",
  "invalid-continue-uri": "The continue URL provided in the request is invalid.",
  "invalid-credential": "The supplied auth credential is incorrect, malformed or has expired.",
  "invalid-custom-token": "The custom token format is incorrect. Please check the documentation.",
  "invalid-email": "The email address is badly formatted.",
  "invalid-recaptcha-token": "The reCAPTCHA token is invalid when sending request to the backend.",
  "invalid-user-token":
    "This user's credential isn't valid for this project. This can happen if the user's token has been tampered with, or if the user isn't for the project associated with this API key.",
  "missing-or-invalid-nonce":
    "The request does not contain a valid nonce. This can occur if the SHA-256 hash of the provided raw nonce does not match the hashed nonce in the ID token payload.",
  "missing-password": "A non-empty password must be provided",
  "missing-recaptcha-token": "The reCAPTCHA token is missing when sending request to the backend.",
  "multi-factor-auth-required":
    "Proof of ownership of a second factor is required to complete sign-in.",
  "network-request-failed":
    "A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred.",
  "operation-not-allowed":
    "The given sign-in provider is disabled for this Firebase project. Enable it in the Firebase console, under the sign-in method tab of the Auth section.",
  "password-does-not-meet-requirements": "The password does not meet the requirements.",
  "requires-recent-login":
    "This operation is sensitive and requires recent authentication. Log in again before retrying this request.",
  "tenant-id-mismatch": "The provided tenant ID does not match the Auth instance's tenant ID",
  "too-many-requests":
    "We have blocked all requests from this device due to unusual activity. Try again later.",
  "unauthorized-continue-uri":
    "The domain of the continue URL is not whitelisted.  Please whitelist the domain in the Firebase console.",
  "user-cancelled": "The user did not grant your application the permissions it requested.",
  "user-disabled": "The user account has been disabled by an administrator.",
  "user-mismatch": "The supplied credentials do not correspond to the previously signed in user.",
  "user-not-found":
    "There is no user record corresponding to this identifier. The user may have been deleted.",
  "user-token-expired": "The user's credential is no longer valid. The user must sign in again.",
  "weak-password": "The password must be 6 characters long or more.",
  "wrong-password": "The password is invalid or the user does not have a password.",
};
