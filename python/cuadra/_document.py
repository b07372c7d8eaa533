"""The canonical invoice json_1_1, generated from schemas/*.json by scripts/generate.mjs. Do not edit."""

# ruff: noqa: E501
from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypedDict, Union


class Meta(TypedDict, total=False):
    direction: Literal["issued", "received"]
    source_system: str
    external_ref: str
    batch_id: str
    batch_item_id: str
    original_format: str
    original_document_id: str
    recognition_status: str
    recognition_score: Union[int, Decimal]


class CountrySubdivision(TypedDict, total=False):
    """Province. Send its code (ISO 3166-2 or INE) or its name; the other members are completed."""

    code: str
    name: str
    subdivision_type: str


class Address(TypedDict, total=False):
    address: str
    address_2: str
    post_code: str
    town: str
    country_code: str
    country_subdivision: CountrySubdivision


class CompanyData(TypedDict, total=False):
    legal_name: str
    trade_name: str
    address: Address


class PersonData(TypedDict, total=False):
    first_name: str
    first_surname: str
    second_surname: str
    address: Address


class ElectronicAddress(TypedDict, total=False):
    value: str
    scheme_id: str


class Identifier(TypedDict, total=False):
    role: Literal["tax", "vat", "legal", "local", "other"]
    value: str
    scheme_id: Literal["ES:VAT", "ES:NIF", "EU:VAT", "GLN", "DUNS", "VF:SUPPLIER", "VF:CUSTOMER", "LOCAL:ERP", "LOCAL:CRM", "OTHER"]
    scheme_name: str
    issuer_country_code: str


class Supplier(TypedDict, total=False):
    person_type_code: Literal["F", "J"]
    tax_id: str
    name: str
    country_code: str
    party_country_code: str
    telephone: str
    electronic_mail: str
    contact_persons: str
    company: CompanyData
    person: PersonData
    electronic_address: ElectronicAddress
    identifiers: list[Identifier]


class AdministrativeCentre(TypedDict, total=False):
    centre_code: str
    role_type_code: str
    centre_description: str


class Customer(TypedDict, total=False):
    person_type_code: Literal["F", "J"]
    tax_id: str
    name: str
    country_code: str
    party_country_code: str
    telephone: str
    electronic_mail: str
    contact_persons: str
    company: CompanyData
    person: PersonData
    electronic_address: ElectronicAddress
    identifiers: list[Identifier]
    administrative_centres: list[AdministrativeCentre]


class HeaderReferences(TypedDict, total=False):
    """Orders, contracts and files of both parties."""

    receiver_transaction_reference: str
    receiver_contract_reference: str
    issuer_contract_reference: str
    file_reference: str


class TaxPeriod(TypedDict, total=False):
    """Tax period of the corrected invoice."""

    start_date: str
    end_date: str


class Corrective(TypedDict, total=False):
    """The corrected invoice, the reason and the correction type. These fields are required on issued invoices of types 03 and 04."""

    reason_code: str
    reason_description: str
    invoice_number: str
    invoice_issue_date: str
    correction_type: Literal["S", "D"]
    corrected_taxable_base: Union[int, Decimal]
    corrected_tax_amount: Union[int, Decimal]
    invoice_series_code: str
    tax_period: TaxPeriod


class Header(TypedDict, total=False):
    invoice_type_code: Literal["01", "02", "03", "04", "05"]
    invoice_series_code: str
    invoice_number: str
    references: HeaderReferences
    corrective: Corrective
    is_simplified: bool
    is_corrective: bool


class InvoiceCurrency(TypedDict, total=False):
    """The original currency, if it is not the euro."""

    invoice_currency_code: str
    exchange_rate: Union[int, Decimal]
    exchange_rate_date: str


class IssueData(TypedDict, total=False):
    issue_date: str
    operation_date: str
    receipt_date: str
    invoicing_period_start_date: str
    invoicing_period_end_date: str
    tax_group_code: Literal["IVA", "IGIC", "IPSI"]
    tax_country_code: str
    tax_currency_code: str
    is_tai: bool
    is_dua: bool
    invoice_description: str
    invoice_currency: InvoiceCurrency


class DeliveryNote(TypedDict, total=False):
    number: str
    date: str


class LineReferences(TypedDict, total=False):
    """Orders, contracts and files of both parties."""

    issuer_contract_reference: str
    issuer_contract_date: str
    receiver_contract_reference: str
    receiver_transaction_reference: str
    file_reference: str
    delivery_notes: list[DeliveryNote]


class LegalLiteral(TypedDict, total=False):
    code: str
    legal_reference: str


class LineCurrencyBlock(TypedDict, total=False):
    """Amounts of the line in the original currency."""

    unit_price_without_tax: Union[int, Decimal]
    unit_price_with_tax: Union[int, Decimal]
    discount_amount: Union[int, Decimal]
    charge_amount: Union[int, Decimal]
    purchase_price_incl: Union[int, Decimal]
    total_cost_without_tax: Union[int, Decimal]
    total_cost_with_tax: Union[int, Decimal]
    gross_amount_without_tax: Union[int, Decimal]
    gross_amount_with_tax: Union[int, Decimal]
    tax_output_base: Union[int, Decimal]
    tax_output_amount: Union[int, Decimal]
    tax_withheld_base: Union[int, Decimal]
    tax_withheld_amount: Union[int, Decimal]
    consumption_tax_amount: Union[int, Decimal]


class Line(TypedDict, total=False):
    sequence_number: int
    item_description: str
    item_type: Literal["goods", "service", "investment_good"]
    quantity: Union[int, Decimal]
    unit_of_measure: str
    article_code: str
    unit_price_without_tax: Union[int, Decimal]
    unit_price_with_tax: Union[int, Decimal]
    discount_rate: Union[int, Decimal]
    discount_amount: Union[int, Decimal]
    charge_rate: Union[int, Decimal]
    charge_amount: Union[int, Decimal]
    tax_output_rate: Union[int, Decimal]
    tax_withheld_rate: Union[int, Decimal]
    tax_treatment_code: str
    reverse_charge: bool
    exemption_reason_code: str
    exemption_reason_text: str
    non_taxable_reason: Literal["ARTICLES_7_14_OTHER", "LOCATION_RULES"]
    tax_regime_key: str
    tax_regime_description: str
    consumption_country_code: str
    consumption_tax_rate: Union[int, Decimal]
    consumption_tax_amount: Union[int, Decimal]
    consumption_rate_type: Literal["standard", "reduced", "super_reduced", "parking"]
    supply_type: Literal["goods", "services"]
    purchase_price_incl: Union[int, Decimal]
    deduction_rate: Union[int, Decimal]
    non_deductible_reason: Literal["ENTERTAINMENT", "EXEMPT_ACTIVITY", "FOOD_DRINK_TOBACCO", "FORMAL_REQUIREMENTS", "JEWELLERY", "NOT_BUSINESS", "OTHER", "PRO_RATA", "TRAVEL_NOT_DEDUCTIBLE", "VEHICLE_PRESUMPTION"]
    line_item_period_start_date: str
    line_item_period_end_date: str
    transaction_date: str
    additional_line_item_information: str
    references: LineReferences
    legal_literals: list[LegalLiteral]
    invoice_currency: LineCurrencyBlock
    total_cost_without_tax: Union[int, Decimal]
    gross_amount_without_tax: Union[int, Decimal]
    total_cost_with_tax: Union[int, Decimal]
    gross_amount_with_tax: Union[int, Decimal]
    tax_output_base: Union[int, Decimal]
    tax_output_amount: Union[int, Decimal]
    tax_withheld_base: Union[int, Decimal]
    tax_withheld_amount: Union[int, Decimal]
    taxable: bool
    exempt: bool
    tax_category_code: str
    tax_output_code: str
    tax_withheld_code: str


class TaxOutputCurrencyBlock(TypedDict, total=False):
    """Amounts of the breakdown entry in the original currency."""

    taxable_base: Union[int, Decimal]
    tax_amount: Union[int, Decimal]
    equivalence_surcharge_amount: Union[int, Decimal]


class TaxOutput(TypedDict, total=False):
    tax_rate: Union[int, Decimal]
    taxable_base: Union[int, Decimal]
    tax_amount: Union[int, Decimal]
    tax_treatment_code: str
    reverse_charge: bool
    exemption_reason_code: str
    exemption_reason_text: str
    non_taxable_reason: Literal["ARTICLES_7_14_OTHER", "LOCATION_RULES"]
    tax_regime_key: str
    tax_regime_description: str
    equivalence_surcharge: Union[int, Decimal]
    equivalence_surcharge_amount: Union[int, Decimal]
    consumption_country_code: str
    consumption_tax_rate: Union[int, Decimal]
    consumption_tax_amount: Union[int, Decimal]
    consumption_rate_type: Literal["standard", "reduced", "super_reduced", "parking"]
    supply_type: Literal["goods", "services"]
    invoice_currency: TaxOutputCurrencyBlock
    taxable: bool
    exempt: bool
    tax_category_code: str
    tax_type_code: str


class TaxWithheld(TypedDict, total=False):
    tax_rate: Union[int, Decimal]
    taxable_base: Union[int, Decimal]
    tax_amount: Union[int, Decimal]
    taxable: bool
    exempt: bool
    tax_category_code: str
    tax_type_code: str


class GeneralDiscount(TypedDict, total=False):
    discount_reason: str
    discount_rate: Union[int, Decimal]
    discount_amount: Union[int, Decimal]


class GeneralSurcharge(TypedDict, total=False):
    charge_reason: str
    charge_rate: Union[int, Decimal]
    charge_amount: Union[int, Decimal]


class PaymentOnAccount(TypedDict, total=False):
    payment_on_account_date: str
    payment_on_account_amount: Union[int, Decimal]
    description: str


class ReimbursableExpense(TypedDict, total=False):
    issue_date: str
    invoice_number: str
    invoice_series_code: str
    reimbursable_expenses_amount: Union[int, Decimal]
    description: str


class TotalsCurrencyBlock(TypedDict, total=False):
    """Totals in the original currency."""

    total_gross_amount: Union[int, Decimal]
    total_gross_amount_before_taxes: Union[int, Decimal]
    total_tax_outputs: Union[int, Decimal]
    total_consumption_taxes: Union[int, Decimal]
    invoice_total: Union[int, Decimal]
    total_general_discounts: Union[int, Decimal]
    total_general_surcharges: Union[int, Decimal]
    total_non_taxable_amount: Union[int, Decimal]
    total_taxes_withheld: Union[int, Decimal]
    total_payments_on_account: Union[int, Decimal]
    total_reimbursable_expenses: Union[int, Decimal]
    total_executable_amount: Union[int, Decimal]
    rounding_amount: Union[int, Decimal]


class Totals(TypedDict, total=False):
    total_gross_amount: Union[int, Decimal]
    total_gross_amount_before_taxes: Union[int, Decimal]
    total_tax_outputs: Union[int, Decimal]
    total_consumption_taxes: Union[int, Decimal]
    invoice_total: Union[int, Decimal]
    general_discounts: list[GeneralDiscount]
    general_surcharges: list[GeneralSurcharge]
    total_general_discounts: Union[int, Decimal]
    total_general_surcharges: Union[int, Decimal]
    total_non_taxable_amount: Union[int, Decimal]
    total_taxes_withheld: Union[int, Decimal]
    payments_on_account: list[PaymentOnAccount]
    total_payments_on_account: Union[int, Decimal]
    reimbursable_expenses: list[ReimbursableExpense]
    total_reimbursable_expenses: Union[int, Decimal]
    total_executable_amount: Union[int, Decimal]
    rounding_amount: Union[int, Decimal]
    invoice_currency: TotalsCurrencyBlock


class PaymentDetail(TypedDict, total=False):
    installment_due_date: str
    installment_amount: Union[int, Decimal]
    payment_method_code: str
    payment_method_label: str
    iban_account_to_be_credited: str
    iban_account_to_be_debited: str
    payment_reconciliation_reference: str
    collection_additional_information: str


class RelatedInvoice(TypedDict, total=False):
    """A related invoice."""

    number: str
    series: str
    issue_date: str


class AdditionalData(TypedDict, total=False):
    """Data for which there is no other field."""

    related_invoice: RelatedInvoice
    invoice_additional_information: str


class InvoiceBlock(TypedDict, total=False):
    supplier: Supplier
    customer: Customer
    header: Header
    issue_data: IssueData
    lines: list[Line]
    taxes_outputs: list[TaxOutput]
    taxes_withheld: list[TaxWithheld]
    totals: Totals
    payment_terms: str
    payment_details: list[PaymentDetail]
    legal_literals: list[LegalLiteral]
    additional_data: AdditionalData


class Recognition(TypedDict, total=False):
    """Confidence of the document recognition; received invoices only, kept as sent."""

    requires_human_review: bool
    review_reasons: list[Any]
    field_scores: dict[str, Any]


class CanonicalInvoice(TypedDict, total=False):
    """The canonical invoice json_1_1 as the service returns it, with every computed field. Fields marked readOnly are computed and must not be sent; input.json rejects them."""

    schema_version: Literal["json_1_1"]
    meta: Meta
    invoice: InvoiceBlock
    recognition: Recognition


Document = CanonicalInvoice
