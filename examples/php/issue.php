<?php

declare(strict_types=1);

require __DIR__ . '/Cuadra.php';

$cuadra = new Cuadra(getenv('URL'), getenv('KEY'), language: getenv('CUADRA_LANGUAGE') ?: 'en');
$invoice = [
    'schema_version' => 'json_1_1',
    'meta' => ['direction' => 'issued', 'source_system' => 'shop', 'external_ref' => 'ORDER-77'],
    'invoice' => [
        'supplier' => ['person_type_code' => 'J', 'name' => 'Comercial Demostración, S.L.'],
        'customer' => [
            'name' => 'Torrealmar Rehabilitaciones, S.L.',
            'tax_id' => 'B12345674',
            'company' => ['address' => [
                'address' => 'Avenida de los Naranjos, 120', 'post_code' => '12001', 'town' => 'Castellón',
            ]],
        ],
        'header' => ['invoice_type_code' => '01', 'invoice_series_code' => 'A'],
        'issue_data' => (object) [],
        'lines' => [[
            'item_description' => 'Papel A4', 'quantity' => 10, 'unit_price_without_tax' => 4.5, 'tax_output_rate' => 21,
        ]],
        'totals' => ['total_gross_amount_before_taxes' => 45, 'total_tax_outputs' => 9.45, 'invoice_total' => 54.45],
    ],
];

// A wrong invoice: each problem has the path of its field.
$wrong = $invoice;
$wrong['invoice']['customer']['tax_id'] = 'B12345675';
foreach ($cuadra->call('POST', '/drafts/validate', $wrong)['errors'] as $problem) {
    echo "$problem[code] $problem[path]\n";
}

$issued = $cuadra->issue($invoice);
$again = $cuadra->issue($invoice);
echo "$issued[number] $issued[total] ", $again['id'] === $issued['id'] ? 'issued once' : 'issued twice', "\n";
$pdf = $cuadra->call('GET', "/issued-invoices/$issued[id]/pdf");
file_put_contents('invoice.pdf', $pdf);
echo substr($pdf, 0, 8), "\n";

try {
    $cuadra->call('GET', '/issued-invoices/00000000-0000-4000-8000-000000000000');
} catch (CuadraError $error) {
    echo "$error->status {$error->code()}: {$error->getMessage()}\n";
}
