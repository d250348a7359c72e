//! Every error code the API may answer. Codes are for programs, messages for people.

/// A stable code; the mobile app switches on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    OrderNotFound,
    ChargeDeclined,
    RefundTooLate,
}

impl Code {
    /// The text on the wire. Never change one.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::OrderNotFound => "order_not_found",
            Code::ChargeDeclined => "charge_declined",
            Code::RefundTooLate => "refund_too_late",
        }
    }
}
