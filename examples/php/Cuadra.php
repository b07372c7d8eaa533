<?php

declare(strict_types=1);

/** An error of the server: `code()` for programs, the message for people. */
final class CuadraError extends RuntimeException
{
    /** @param array<string, mixed> $detail */
    public function __construct(public readonly int $status, public readonly array $detail)
    {
        parent::__construct($detail['message'] ?? "The server did not respond (HTTP status $status).");
    }

    public function code(): string
    {
        return $this->detail['code'] ?? '';
    }
}

/** A client of the invoicing API for PHP 8.1 or later, without extensions. */
final class Cuadra
{
    /** @param string $language `en` or `es`, the language of the messages */
    public function __construct(
        private string $url,
        private string $key,
        private int $attempts = 4,
        private string $language = 'en',
    ) {
    }

    /**
     * Sends a request and returns the decoded response, or its bytes if it is not JSON. Requests that the server did not
     * process (no response, 429, 503) are repeated. Throws CuadraError for any other error.
     */
    public function call(string $method, string $path, ?array $body = null): mixed
    {
        for ($attempt = 1; ; $attempt++) {
            [$status, $headers, $text] = $this->send($method, $path, $body);
            if (!in_array($status, [0, 429, 503], true) || $attempt >= $this->attempts) {
                break;
            }
            sleep((int) ($headers['retry-after'] ?? 2 ** $attempt));
        }
        $isJson = str_starts_with($headers['content-type'] ?? '', 'application/json');
        $value = $isJson ? json_decode($text, true, flags: JSON_THROW_ON_ERROR) : $text;
        if ($status < 200 || $status > 299) {
            throw new CuadraError($status, is_array($value) ? ($value['detail'] ?? []) : []);
        }
        return $value;
    }

    /**
     * Saves and issues an invoice, and returns it with number and date. It can be repeated after a lost response: an
     * invoice with the same `external_ref` is issued only once.
     */
    public function issue(array $invoice): array
    {
        try {
            $id = $this->call('PUT', '/drafts', $invoice)['id'];
            return $this->call('POST', "/issued-invoices/$id/issue");
        } catch (CuadraError $error) {
            if (!in_array($error->code(), ['invoice_update_not_allowed', 'invalid_status_transition'], true)) {
                throw $error;
            }
            $reference = rawurlencode($invoice['meta']['external_ref']);
            return $this->call('GET', "/issued-invoices?external_ref=$reference")['items'][0] ?? throw $error;
        }
    }

    /** @return array{int, array<string, string>, string} status (0: no response), headers and body */
    private function send(string $method, string $path, ?array $body): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => "X-API-Key: {$this->key}\r\nAccept-Language: {$this->language}\r\nContent-Type: application/json",
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE),
            'ignore_errors' => true,
            'timeout' => 30,
        ]]);
        $text = @file_get_contents($this->url . $path, false, $context);
        $lines = $http_response_header ?? [];
        $status = (int) (explode(' ', $lines[0] ?? '')[1] ?? 0);
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [$text === false ? 0 : $status, $headers, (string) $text];
    }
}
